/** Figures of the media that a browser sends, from WebRTC statistics (https://www.w3.org/TR/webrtc-stats/). */
export interface OutgoingFigures {
  /** Bytes of audio and video sent so far. */
  readonly sentBytes: number;
  /** Timestamp of the statistics in milliseconds. */
  readonly timestampMs: number;
  /** Bits per second since the previous figures; null while unknown. */
  readonly bitrate: number | null;
  /** Fraction of lost packets in the latest report of the server, 0 to 1; null without a report. */
  readonly lostRatio: number | null;
  readonly roundTripMs: number | null;
  readonly framesPerSecond: number | null;
  readonly width: number | null;
  readonly height: number | null;
  /** What keeps the browser from sending the chosen quality (`qualityLimitationReason` of WebRTC). */
  readonly limitation: 'none' | 'cpu' | 'bandwidth' | 'other';
}

export const noFigures: OutgoingFigures = {
  sentBytes: 0,
  timestampMs: 0,
  bitrate: null,
  lostRatio: null,
  roundTripMs: null,
  framesPerSecond: null,
  width: null,
  height: null,
  limitation: 'none',
};

type Report = Readonly<Record<string, unknown>>;

const limitations: readonly OutgoingFigures['limitation'][] = ['cpu', 'bandwidth', 'other'];

/**
 * Reads the figures from the statistics of a connection. Statistics without sent media do not change the figures.
 * @param previous previous figures of the connection
 */
export function readOutgoingFigures(
  stats: Iterable<readonly [string, unknown]>,
  previous: OutgoingFigures,
): OutgoingFigures {
  const reports = [...stats].map(([, report]) => report as Report);
  const ofType = (type: string) => reports.filter((report) => report['type'] === type);
  const outbound = ofType('outbound-rtp');
  if (outbound.length === 0) return previous;
  const heightOf = (report: Report) => readNumber(report, 'frameHeight') ?? 0;
  // Each size that is sent has its own report; the figures are those of the largest.
  const [video] = outbound.filter(({ kind }) => kind === 'video').sort((a, b) => heightOf(b) - heightOf(a));
  const remote = ofType('remote-inbound-rtp');
  const lostFractions = remote.flatMap((report) => readNumber(report, 'fractionLost') ?? []);
  const pair = ofType('candidate-pair').find(
    (report) => report['nominated'] === true && readNumber(report, 'currentRoundTripTime') !== null,
  );
  const roundTrip =
    remote.map((report) => readNumber(report, 'roundTripTime')).find((seconds) => seconds !== null) ??
    readNumber(pair, 'currentRoundTripTime');
  const sentBytes = outbound.reduce((sum, report) => sum + (readNumber(report, 'bytesSent') ?? 0), 0);
  const timestampMs = Math.max(...outbound.map((report) => readNumber(report, 'timestamp') ?? 0));
  return {
    sentBytes,
    timestampMs,
    bitrate: bitrateOf(previous, { sentBytes, timestampMs }),
    lostRatio: lostFractions.length === 0 ? null : Math.min(1, Math.max(0, ...lostFractions)),
    roundTripMs: roundTrip === null ? null : Math.round(roundTrip * 1_000),
    framesPerSecond: readNumber(video, 'framesPerSecond'),
    width: readNumber(video, 'frameWidth'),
    height: readNumber(video, 'frameHeight'),
    limitation: limitations.find((limitation) => limitation === video?.['qualityLimitationReason']) ?? 'none',
  };
}

/** The bitrate since the previous figures; null for the first figures of a connection. */
function bitrateOf(
  previous: OutgoingFigures,
  current: Pick<OutgoingFigures, 'sentBytes' | 'timestampMs'>,
): number | null {
  const [bytes, elapsedMs] = [
    current.sentBytes - previous.sentBytes,
    current.timestampMs - previous.timestampMs,
  ];
  if (previous.timestampMs === 0 || bytes < 0) return null;
  // Browsers cache statistics briefly, so two calls may return the same statistics.
  // Bytes per millisecond to bits per second.
  return elapsedMs > 0 ? (bytes * 8_000) / elapsedMs : previous.bitrate;
}

function readNumber(report: Report | undefined, name: string): number | null {
  const value = report?.[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Problems that the user can solve, most urgent first. */
export type SendingProblem = 'packets_lost' | 'connection_slow' | 'device_slow';

/** Fraction of lost packets from which the loss is reported. */
const MIN_LOST_RATIO = 0.05;

/** The most urgent problem of a connection; null if there is none. */
export function sendingProblem({ lostRatio, limitation }: OutgoingFigures): SendingProblem | null {
  if (lostRatio !== null && lostRatio >= MIN_LOST_RATIO) return 'packets_lost';
  if (limitation === 'bandwidth') return 'connection_slow';
  return limitation === 'cpu' ? 'device_slow' : null;
}
