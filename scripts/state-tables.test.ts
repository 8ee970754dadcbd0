import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nextStreamState, streamEvents, streamStates } from '@/lib/core/stream-state';
import { nextTargetState, targetEvents, targetStates } from '@/lib/core/target-state';

/** The part of docs/architecture.md between two markers, without the padding that prettier adds. */
function printed(name: string): string {
  const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'architecture.md'), 'utf8');
  const [, table = ''] = new RegExp(`<!-- ${name} -->\\n([^]*?)<!-- /${name} -->`).exec(document) ?? [];
  return table.trim().replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');
}

test('docs/architecture.md prints the stream state machine as it is', () => {
  const cell = (state: (typeof streamStates)[number], event: (typeof streamEvents)[number]): string => {
    const next = nextStreamState(state, event);
    if ('refused' in next) return '–';
    return next.emits ? `${next.state}, \`${next.emits}\`` : next.state;
  };
  const rows = [
    ['stream', ...streamEvents],
    ['', ...streamEvents].map(() => '---'),
    ...streamStates.map((state) => [`**${state}**`, ...streamEvents.map((event) => cell(state, event))]),
  ];
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  expect(printed('stream-state')).toBe(table);
});

test('docs/architecture.md prints the state machine of targets as it is', () => {
  const rows = [
    ['target', ...targetEvents],
    ['', ...targetEvents].map(() => '---'),
    ...targetStates.map((state) => [
      `**${state}**`,
      ...targetEvents.map((event) => nextTargetState(state, event) ?? '–'),
    ]),
  ];
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  expect(printed('target-state')).toBe(table);
});
