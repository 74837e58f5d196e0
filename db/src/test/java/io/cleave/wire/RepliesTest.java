package io.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Issue;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.YdbIssueMessage.IssueMessage;

import java.util.List;

class RepliesTest {
    /// Half of a surrogate pair is no character. The protocol's library would print a stack trace
    /// into the log for each.
    @Test
    void aMessageHasWholeCharacters() {
        var issue = Issue.error("cut here \ud83d").because(Issue.error("\ude00 and here"));
        List<IssueMessage> issues = Replies.issues(List.of(issue));
        assertThat(issues.getFirst().getMessage()).isEqualTo("cut here \ufffd");
        assertThat(issues.getFirst().getIssues(0).getMessage()).isEqualTo("\ufffd and here");
    }
}
