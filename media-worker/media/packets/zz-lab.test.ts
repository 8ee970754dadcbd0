import { it } from 'vitest';
import {
  apart,
  configs,
  longestStall,
  played,
  type Sent,
  stamped,
  steady,
} from '@/media-worker/media/packaging/testing/played';
import { longestHole, smallestStep } from '@/media-worker/media/packaging/testing/track-times';
const isA = (s: Sent) => s.packet.kind === 'audio';
const sorted = (s: readonly Sent[]) => s.toSorted((a, b) => a.atMs - b.atMs);
const sendLate = (by: number, which: (s: Sent) => boolean, n = 40_000) =>
  sorted(steady(n).map((s) => (which(s) ? { ...s, atMs: s.atMs + by } : s)));
const cases: Record<string, Sent[]> = {
  plain: steady(30_000),
  ...Object.fromEntries(
    [1_000, 2_000, 3_000, 5_000, 10_000, 12_000].map((ms) => [`sound sent ${ms} late`, sendLate(ms, isA)]),
  ),
  ...Object.fromEntries(
    [1_000, 2_000, 3_000, 5_000, 10_000, 12_000].map((ms) => [
      `picture sent ${ms} late`,
      sendLate(ms, (s) => !isA(s)),
    ]),
  ),
  ...Object.fromEntries(
    [1_600, 3_000, 5_000, 10_000].map((ms) => [
      `sound begins ${ms}`,
      steady(30_000).filter((s) => !isA(s) || s.atMs >= ms),
    ]),
  ),
  ...Object.fromEntries(
    [1_600, 3_000, 5_000, 10_000].map((ms) => [
      `picture begins ${ms}`,
      steady(30_000).filter((s) => isA(s) || s.atMs >= ms),
    ]),
  ),
  ...Object.fromEntries(
    [1_000, 2_000, 4_000, 8_000].map((ms) => [
      `sound ${ms} late from 10 s`,
      sendLate(ms, (s) => isA(s) && s.atMs >= 10_000),
    ]),
  ),
  ...Object.fromEntries(
    [1_000, 2_000, 4_000, 8_000].map((ms) => [
      `picture ${ms} late from 10 s`,
      sendLate(ms, (s) => !isA(s) && s.atMs >= 10_000),
    ]),
  ),
  ...Object.fromEntries(
    [1_000, 2_000, 4_000, 8_000].map((ms) => [
      `sound loses ${ms}`,
      steady(40_000)
        .filter((s) => !(isA(s) && s.atMs >= 10_000 && s.atMs < 10_000 + ms))
        .map((s) => (isA(s) && s.atMs >= 10_000 ? stamped(s, -ms) : s)),
    ]),
  ),
  ...Object.fromEntries(
    [1_000, 2_000, 4_000, 8_000].map((ms) => [
      `picture loses ${ms}`,
      steady(40_000)
        .filter((s) => !(!isA(s) && s.atMs >= 10_000 && s.atMs < 10_000 + ms))
        .map((s) => (!isA(s) && s.atMs >= 10_000 ? stamped(s, -ms) : s)),
    ]),
  ),
  'both silent 4 s': steady(30_000).filter((s) => s.atMs < 12_000 || s.atMs >= 16_000),
  'both silent 4 s, key at return': steady(30_000).filter((s) => s.atMs < 12_000 || s.atMs >= 16_000),
  'backlog 4 s': steady(30_000).map((s) =>
    s.atMs >= 12_000 && s.atMs < 16_000 ? { ...s, atMs: 16_000 } : s,
  ),
  'sound backlog 4 s': sorted(
    steady(30_000).map((s) => (isA(s) && s.atMs >= 12_000 && s.atMs < 16_000 ? { ...s, atMs: 16_000 } : s)),
  ),
  'picture backlog 4 s': sorted(
    steady(30_000).map((s) => (!isA(s) && s.atMs >= 12_000 && s.atMs < 16_000 ? { ...s, atMs: 16_000 } : s)),
  ),
  ...Object.fromEntries(
    [0.99, 1.01, 0.95, 1.05].map((f) => [
      `sound drift ${f}`,
      steady(400_000).map((s) => (isA(s) ? stamped(s, Math.round(s.atMs * (f - 1))) : s)),
    ]),
  ),
  ...Object.fromEntries(
    [0.99, 1.01, 0.95, 1.05].map((f) => [
      `picture drift ${f}`,
      steady(400_000).map((s) => (!isA(s) ? stamped(s, Math.round(s.atMs * (f - 1))) : s)),
    ]),
  ),
  'both drift 1.01': steady(400_000).map((s) => stamped(s, Math.round(s.atMs * 0.01))),
  'duplicate stamps': steady(30_000).map((s) => stamped(s, -(s.packet.dts % 80))),
  'stamps of seconds': steady(30_000).map((s) => stamped(s, -(s.packet.dts % 1000))),
  'all stamps zero': steady(30_000).map((s) => stamped(s, -s.packet.dts)),
  'sound stamps zero': steady(30_000).map((s) => (isA(s) ? stamped(s, -s.packet.dts) : s)),
  'picture stamps zero': steady(30_000).map((s) => (!isA(s) ? stamped(s, -s.packet.dts) : s)),
  'back and forth': steady(40_000).map((s) => (Math.floor(s.atMs / 5_000) % 2 ? stamped(s, -3_600_000) : s)),
  'cts negative': steady(30_000).map((s) =>
    !isA(s) ? { ...s, packet: { ...s.packet, pts: s.packet.dts - 500 } } : s,
  ),
  'cts huge': steady(30_000).map((s) =>
    !isA(s) ? { ...s, packet: { ...s.packet, pts: s.packet.dts + 8_000_000 } } : s,
  ),
  'cts mixed': steady(30_000).map((s, n) =>
    !isA(s) ? { ...s, packet: { ...s.packet, pts: s.packet.dts + ((n * 7919) % 2_000) - 1_000 } } : s,
  ),
  'one cts huge': steady(30_000).map((s) =>
    !isA(s) && s.atMs === 12_120 ? { ...s, packet: { ...s.packet, pts: s.packet.dts + 8_000_000 } } : s,
  ),
  'cts one negative first': steady(30_000).map((s) =>
    !isA(s) && s.atMs === 0 ? { ...s, packet: { ...s.packet, pts: -8_000_000 } } : s,
  ),
};
const only = process.env['ONLY'];
it('lab', () => {
  for (const [name, sent] of Object.entries(cases)) {
    if (only && !name.includes(only)) continue;
    const t = performance.now();
    const r = played([...configs(sent[0]?.packet.dts), ...sent]);
    const holes = r.periods.map(({ video, audio }) =>
      [
        Math.round(longestHole(video)),
        Math.round(longestHole(audio)),
        +Math.min(smallestStep(video), 99).toFixed(1),
        +Math.min(smallestStep(audio), 99).toFixed(1),
      ].join('/'),
    );
    const long = Math.max(...r.segments.map((s) => s.durationMs));
    console.log(
      `${name.padEnd(28)} LL ${Math.round(longestStall(r))} plain ${Math.round(longestStall(r, 6_000))} apart ${Math.round(apart(r))} holes ${holes.slice(0, 6).join(' ')}${holes.length > 6 ? `… ${holes.length}` : ''} seg max ${Math.round(long)} min ${Math.round(Math.min(...r.segments.map((s) => s.durationMs)))} n ${r.segments.length} TD ${[...r.targets].join()} first ${r.covered.find(({ untilMs }) => untilMs > 0)?.atMs} end ${Math.round(r.segments.at(-1)?.endMs ?? 0)} snd ${r.shown.filter((s) => s.kind === 'audio').length} pic ${r.shown.filter((s) => s.kind === 'video').length} [${[...new Set(r.events.flatMap((e) => (e.type === 'issue' ? [e.code] : e.type === 'refused' ? ['REFUSED ' + e.message] : [])))].join()}] ${Math.round(performance.now() - t)} ms`,
    );
  }
}, 300_000);
