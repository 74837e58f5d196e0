package io.cleave.bookkeeper;

import io.cleave.bookkeeper.ZooKeeperCoordination.Member;
import io.cleave.log.LogException;

import org.apache.bookkeeper.net.AbstractDNSToSwitchMapping;
import org.apache.bookkeeper.net.NetworkTopology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Tells BookKeeper the zone of each bookie, so that copies go to different zones. The zone comes
/// from the setting `zone.HOST`, or from a node that runs on the same host. All bookies without a
/// zone count as one zone.
///
/// BookKeeper asks when it learns of a bookie. It calls a zone a rack.
final class ZoneMapping extends AbstractDNSToSwitchMapping {
    private static final String SETTING = "zone.";

    private final ZooKeeperCoordination coordination;
    private final String ownHost;
    private final String ownZone;

    /// The zone of this node is passed in, because the node is registered only after BookKeeper has
    /// asked for the zones of all bookies. It is empty if the node has none.
    ZoneMapping(ZooKeeperCoordination coordination, String ownHost, String ownZone) {
        this.coordination = coordination;
        this.ownHost = ownHost;
        this.ownZone = ownZone;
    }

    @Override
    public List<String> resolve(List<String> hosts) {
        Map<String, String> zones = zones();
        return hosts.stream().map(host -> location(zones.getOrDefault(host, ""))).toList();
    }

    private static String location(String zone) {
        return zone.isEmpty() ? NetworkTopology.DEFAULT_REGION_AND_RACK : "/zone/" + zone;
    }

    private Map<String, String> zones() {
        Map<String, String> zones = new HashMap<>();
        try {
            for (Member member : coordination.members()) {
                zones.put(member.host(), member.zone());
            }
            // The registered zone of this host may be of a node that ran here before.
            zones.put(ownHost, ownZone);
            coordination
                    .settings()
                    .forEach(
                            (name, value) -> {
                                if (name.startsWith(SETTING)) {
                                    zones.put(name.substring(SETTING.length()), value);
                                }
                            });
        } catch (LogException e) {
            // ZooKeeper is unavailable: a ledger in one zone is better than none.
            return Map.of();
        }
        return zones;
    }

    @Override
    public boolean useHostName() {
        return true;
    }

    @Override
    public void reloadCachedMappings() {}
}
