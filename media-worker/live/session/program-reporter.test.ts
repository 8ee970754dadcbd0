import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EncoderReport, ProgramReport } from '@/lib/core/streams/program-state';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import { ProgramReporter } from './program-reporter';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const encoder: EncoderReport = {
  connectedAt: 1_000,
  bitrate: 0,
  width: 1_280,
  height: 720,
  fps: null,
  silentMs: 0,
};

function startReporter(program: ProgramReport) {
  const writtenBitrates: (number | null | undefined)[] = [];
  let current = program;
  const reporter = new ProgramReporter({
    record: {
      recordProgram: (_, { primary }) => void writtenBitrates.push(primary?.bitrate),
      recordSwitch: () => undefined,
      recordSlate: () => undefined,
    },
    publish: () => ({}) as AuthorizedPublish,
    report: () => current,
    onIssues: () => undefined,
  });
  reporter.update();
  return { reporter, writtenBitrates, setReport: (next: ProgramReport) => (current = next) };
}

const program = (encoders: Pick<ProgramReport, 'primary' | 'standby'>): ProgramReport => ({
  input: encoders.primary ? 'primary' : 'slate',
  since: 1_000,
  byHand: false,
  ...encoders,
});

it('writes the figures of one encoder soon after it connected, and every 10 seconds', () => {
  const { reporter, writtenBitrates, setReport } = startReporter(
    program({ primary: encoder, standby: null }),
  );
  setReport(program({ primary: { ...encoder, bitrate: 1_500_000, fps: 30 }, standby: null }));
  vi.advanceTimersByTime(2_000);
  expect(writtenBitrates).toEqual([0, 1_500_000]);
  vi.advanceTimersByTime(20_000);
  expect(writtenBitrates).toHaveLength(4);
  reporter.close();
  vi.advanceTimersByTime(20_000);
  expect(writtenBitrates).toHaveLength(4);
});

it('writes the figures of two encoders every 2 seconds', () => {
  const { reporter, writtenBitrates } = startReporter(program({ primary: encoder, standby: encoder }));
  vi.advanceTimersByTime(20_000);
  // One write at the start, and ten in 20 seconds.
  expect(writtenBitrates).toHaveLength(11);
  reporter.close();
});

it('writes a program without an encoder once', () => {
  const { writtenBitrates } = startReporter(program({ primary: null, standby: null }));
  vi.advanceTimersByTime(60_000);
  expect(writtenBitrates).toHaveLength(1);
});
