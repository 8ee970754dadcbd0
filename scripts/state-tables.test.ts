import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assetEvents, assetPhases, nextAssetPhase } from '@/lib/core/assets/asset-state';
import { deliveryEvents, deliveryStates, nextDeliveryState } from '@/lib/core/webhooks/delivery-state';
import { nextRecordingState, recordingEvents, recordingStates } from '@/lib/core/recordings/recording-state';
import { nextSessionState, sessionEvents, sessionStates } from '@/lib/core/recordings/session-state';
import { nextStreamState, streamEvents, streamStates } from '@/lib/core/streams/stream-state';
import { nextTargetState, targetEvents, targetStates } from '@/lib/core/targets/target-state';
import { noRetries } from '@/lib/core/tasks/task-retry';
import { nextTaskState, taskEvents, taskPhases } from '@/lib/core/tasks/task-state';
import { nextUploadPhase, uploadEvents, uploadPhases } from '@/lib/core/assets/upload-state';

/** The section of docs/architecture.md between two markers, without the padding of the formatter. */
function printed(name: string): string {
  const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'architecture.md'), 'utf8');
  const [, table = ''] = new RegExp(`<!-- ${name} -->\\n([^]*?)<!-- /${name} -->`).exec(document) ?? [];
  return table.trim().replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');
}

/** A Markdown table. @param cell returns the result of an event in a state */
function tableOf<S extends string, E extends string>(
  title: string,
  states: readonly S[],
  events: readonly E[],
  cell: (state: S, event: E) => string,
): string {
  const rows = [
    [title, ...events],
    ['', ...events].map(() => '---'),
    ...states.map((state) => [`**${state}**`, ...events.map((event) => cell(state, event))]),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

test('docs/architecture.md contains the current stream state machine', () => {
  const table = tableOf('stream', streamStates, streamEvents, (state, event) => {
    const next = nextStreamState(state, event);
    if ('refused' in next) return '–';
    return next.emits ? `${next.state}, \`${next.emits}\`` : next.state;
  });
  expect(printed('stream-state')).toBe(table);
});

test('docs/architecture.md contains the current session state machine', () => {
  // `published` is inside the window of one second, `clock` after it.
  const table = tableOf('session', sessionStates, sessionEvents, (state, type) => {
    const event = type === 'published' ? { type, at: 0 } : type === 'clock' ? { type, at: 1_001 } : { type };
    const next = nextSessionState({ state, lastMediaAt: 0 }, event, 1_000);
    return 'state' in next ? next.state : '–';
  });
  expect(printed('session-state')).toBe(table);
});

test('docs/architecture.md contains the current asset state machine', () => {
  const cell = (phase: (typeof assetPhases)[number], event: (typeof assetEvents)[number]) =>
    nextAssetPhase(phase, event) ?? '–';
  expect(printed('asset-state')).toBe(tableOf('asset', assetPhases, assetEvents, cell));
});

test('docs/architecture.md contains the current task state machine', () => {
  const table = tableOf('task', taskPhases, taskEvents, (phase, type) => {
    const event =
      type === 'progressed'
        ? { type, progress: 0.5 }
        : type === 'interrupted'
          ? { type, cause: 'attempt' as const, at: 0 }
          : { type };
    const after = (failedAttempts: number) => {
      const history = { ...noRetries, failedAttempts };
      const next = nextTaskState({ phase, progress: null, retries: 0, history }, event);
      return 'state' in next ? next.state.phase : '–';
    };
    // With retries left, and without.
    return [...new Set([after(0), after(9)])].join(' or ');
  });
  expect(printed('task-state')).toBe(table);
});

test('docs/architecture.md contains the current target state machine', () => {
  const cell = (state: (typeof targetStates)[number], event: (typeof targetEvents)[number]) =>
    nextTargetState(state, event) ?? '–';
  expect(printed('target-state')).toBe(tableOf('target', targetStates, targetEvents, cell));
});

test('docs/architecture.md contains the current delivery state machine', () => {
  const cell = (state: (typeof deliveryStates)[number], event: (typeof deliveryEvents)[number]) =>
    nextDeliveryState(state, event) ?? '–';
  expect(printed('delivery-state')).toBe(tableOf('delivery', deliveryStates, deliveryEvents, cell));
});

test('docs/architecture.md contains the current recording state machine', () => {
  const table = tableOf('recording', recordingStates, recordingEvents, (state, event) => {
    const next = nextRecordingState(state, event);
    if ('refused' in next) return '–';
    return next.emits ? `${next.state}, \`${next.emits}\`` : next.state;
  });
  expect(printed('recording-state')).toBe(table);
});

test('docs/architecture.md contains the current upload state machine', () => {
  const cell = (phase: (typeof uploadPhases)[number], event: (typeof uploadEvents)[number]) =>
    nextUploadPhase(phase, event) ?? '–';
  expect(printed('upload-state')).toBe(tableOf('upload', uploadPhases, uploadEvents, cell));
});
