import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import type { StallIncident } from '@/lib/core/audience/stall-incidents';
import { createViewTimeline } from '@/lib/core/audience/view-timeline';
import { parseReports } from '@/lib/core/audience/read-cmcd';
import { PlaybackReportView } from './playback-report';

const startedAt = Date.UTC(2026, 10, 27, 12);
/**
 * One CMCD report of a player.
 * @param sn sequence number
 * @param sta player state: s = starting, p = playing, r = rebuffering, e = ended
 * @param ms time since the start of the view
 * @param otherFields for example `mtp`, the measured throughput, and `lb`, the lowest bitrate, in kbit/s
 */
const reportLine = (sn: number, sta: string, ms: number, otherFields = '') =>
  `sid="a",sn=${sn},sta=${sta},ts=${startedAt + ms}${otherFields}`;
const timeline = createViewTimeline(
  parseReports(
    [
      reportLine(1, 's', 0),
      reportLine(2, 'p', 900, ',com.headwater-height="720",lb=(1100),mtp=(4000)'),
      reportLine(3, 'r', 60_900, ',mtp=(900)'),
      reportLine(4, 'p', 65_100, ',mtp=(900)'),
      reportLine(5, 'e', 95_100),
    ].join('\n'),
  ).reports,
);
const incident: StallIncident = {
  objectId: 'stream',
  from: startedAt + 60_000,
  to: startedAt + 120_000,
  cause: 'encoder_silent',
  measure: 4_200,
  stalledMs: 4_200,
  stalledViews: 3,
  viewers: 3,
};

function renderReport(incidents: readonly StallIncident[]) {
  if (!timeline) throw new Error('The reports have no timeline');
  const playback = {
    playbackId: 'abcd1234efgh5678',
    device: 'mobile',
    player: 'safari',
    expiresAt: startedAt,
  };
  renderPage(<PlaybackReportView report={{ ...playback, timeline }} incidents={incidents} />);
}

test('a report shows states, durations and a slow connection, and no section about incidents without one', () => {
  renderReport([]);
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  const texts = rows.map((row) => [...row.children].slice(1).map((cell) => cell.textContent));
  expect(texts.slice(1, 4)).toEqual([
    ['Loading the first frame', '0.9 s'],
    ['Playing in 720p', '1 min 0 s'],
    [
      'Paused for lack of dataThe connection carried 900 kbit/s; the lowest quality needs 1.1 Mbit/s.',
      '4.2 s',
    ],
  ]);
  expect(screen.getByText('once, 4.2 s')).toBeTruthy();
  expect(screen.getByText('Safari · Phone')).toBeTruthy();
  expect(screen.queryByText('Only members of the team see this.')).toBeNull();
});

test('the report describes the incidents on the server', () => {
  renderReport([incident]);
  expect(screen.getByText(/It sent nothing for 4.2 s/)).toBeTruthy();
});
