/** Statistics of received WebRTC media. */
export interface InboundFacts {
  /** Total received bytes of video and audio. */
  readonly bytes: number;
  /** Time of the statistics, in milliseconds. */
  readonly at: number;
  /** Bits per second since the previous statistics; null: unknown. */
  readonly bitrate: number | null;
  readonly codecs: string | null;
  /** Delay of the network and the jitter buffer, in seconds; null: unknown. */
  readonly delay: number | null;
  readonly jitterDelay: number;
  readonly jitterCount: number;
}

export const noInbound: InboundFacts = {
  bytes: 0,
  at: 0,
  bitrate: null,
  codecs: null,
  delay: null,
  jitterDelay: 0,
  jitterCount: 0,
};

type Report = Readonly<Record<string, unknown>>;

/** Reads the statistics of a connection (https://www.w3.org/TR/webrtc-stats/). */
export function readInbound(stats: Iterable<readonly [string, unknown]>, before: InboundFacts): InboundFacts {
  const reports = new Map([...stats].map(([id, report]) => [id, report as Report]));
  const inbound = [...reports.values()].filter(({ type }) => type === 'inbound-rtp');
  const video = inbound.find(({ kind }) => kind === 'video') ?? inbound[0];
  if (!video) return before;
  const bytes = inbound.reduce((sum, report) => sum + numberOf(report, 'bytesReceived'), 0);
  const at = numberOf(video, 'timestamp');
  const elapsedMs = at - before.at;
  const jitterDelay = numberOf(video, 'jitterBufferDelay');
  const jitterCount = numberOf(video, 'jitterBufferEmittedCount');
  const playedSamples = jitterCount - before.jitterCount;
  const pair = [...reports.values()].find(
    ({ type, nominated, currentRoundTripTime }) =>
      type === 'candidate-pair' && nominated === true && typeof currentRoundTripTime === 'number',
  );
  const networkS = pair ? numberOf(pair, 'currentRoundTripTime') / 2 : 0;
  const codecs = inbound.flatMap(({ codecId }) => codecName(reports.get(String(codecId))) ?? []);
  return {
    bytes,
    at,
    jitterDelay,
    jitterCount,
    bitrate: before.at > 0 && elapsedMs > 0 ? ((bytes - before.bytes) * 8_000) / elapsedMs : null,
    codecs: codecs.length > 0 ? codecs.join(', ') : null,
    delay: playedSamples > 0 ? networkS + (jitterDelay - before.jitterDelay) / playedSamples : before.delay,
  };
}

const numberOf = (report: Report, name: string): number => {
  const value = report[name];
  return typeof value === 'number' ? value : 0;
};

function codecName(report: Report | undefined): string | undefined {
  const type = report?.['mimeType'];
  return typeof type === 'string' ? type.split('/')[1] : undefined;
}
