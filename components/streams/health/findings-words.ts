import { asSentence } from '@/components/ui/form/server-sentences';
import type { Stream } from '@/lib/contract/streams/stream';

/** Current issues of the incoming video. An idle stream has none. */
export function findingsOf({ isActive, issues }: Pick<Stream, 'isActive' | 'issues'>): readonly string[] {
  return isActive ? (issues ?? []) : [];
}

/** "1 issue: No sound." @param findings at least one */
export function findingsInWords(findings: readonly string[]): string {
  const count = findings.length === 1 ? '1 issue' : `${findings.length} issues`;
  return `${count}: ${asSentence(findings[0] ?? '')}`;
}
