import type { Translator } from '@/components/i18n/messages';
import { asSentence } from '@/components/ui/form/server-messages';
import type { Stream } from '@/lib/contract/streams/stream';
import type { TranslateMessage } from '@/lib/client/server-messages';

/** Current issues of the incoming video. An idle stream has none. */
export function currentIssuesOf(
  { isActive, issues, issueReasons }: Pick<Stream, 'isActive' | 'issues' | 'issueReasons'>,
  translateMessage: TranslateMessage,
): readonly string[] {
  return isActive ? (issues ?? []).map((issue, index) => translateMessage(issue, issueReasons?.[index])) : [];
}

/**
 * Number of issues and the first issue: "1 issue: No sound."
 * @param issueTexts at least one issue
 */
export function summarizeIssues(t: Translator<'streams.issues'>, issueTexts: readonly string[]): string {
  return t('summary', { count: issueTexts.length, first: asSentence(issueTexts[0] ?? '') });
}
