/** Statistics of received WebRTC media. */
export interface InboundFacts {
  /** Total received bytes of video and audio. */
  readonly bytes: number;
  /** Time of the statistics, in Unix milliseconds. */
  readonly measuredAt: number;
  /** Bits per second since the previous statistics; null: unknown. */
  readonly bitrate: number | null;
  /** Codecs separated by commas; null: unknown. */
  readonly codecs: string | null;
  /** Delay of the network and the jitter buffer, in seconds; null: unknown. */
  readonly delay: number | null;
  /** Sum of the times that all samples or frames spent in the jitter buffer, in seconds. */
  readonly jitterDelay: number;
  /** Number of samples or frames that have left the jitter buffer. */
  readonly jitterCount: number;
}

/** The facts before the first statistics. */
export const noInboundFacts: InboundFacts = {
  bytes: 0,
  measuredAt: 0,
  bitrate: null,
  codecs: null,
  delay: null,
  jitterDelay: 0,
  jitterCount: 0,
};

type Report = Readonly<Record<string, unknown>>;

/**
 * Facts from the statistics of a connection (https://www.w3.org/TR/webrtc-stats/). Bitrate and delay are averages since
 * the previous facts, because the counters of the connection only grow.
 */
export function readInboundFacts(
  stats: Iterable<readonly [string, unknown]>,
  previousFacts: InboundFacts,
): InboundFacts {
  const reports = new Map([...stats].map(([id, report]) => [id, report as Report]));
  const inbound = [...reports.values()].filter(({ type }) => type === 'inbound-rtp');
  // The delay is that of the video, or of the audio of a stream without video.
  const mainReport = inbound.find(({ kind }) => kind === 'video') ?? inbound[0];
  if (!mainReport) return previousFacts;
  const bytes = inbound.reduce((sum, report) => sum + numberOf(report, 'bytesReceived'), 0);
  const timestamp = numberOf(mainReport, 'timestamp');
  const elapsedMs = timestamp - previousFacts.measuredAt;
  const jitterDelay = numberOf(mainReport, 'jitterBufferDelay');
  const jitterCount = numberOf(mainReport, 'jitterBufferEmittedCount');
  const emittedCount = jitterCount - previousFacts.jitterCount;
  const candidatePair = [...reports.values()].find(
    ({ type, nominated, currentRoundTripTime }) =>
      type === 'candidate-pair' && nominated === true && typeof currentRoundTripTime === 'number',
  );
  // The way from the server is assumed to take half of the round trip.
  const networkDelay = candidatePair ? numberOf(candidatePair, 'currentRoundTripTime') / 2 : 0;
  const codecs = inbound.flatMap(({ codecId }) => codecName(reports.get(String(codecId))) ?? []);
  return {
    bytes,
    measuredAt: timestamp,
    jitterDelay,
    jitterCount,
    // Bits per byte times milliseconds per second.
    bitrate:
      previousFacts.measuredAt > 0 && elapsedMs > 0
        ? ((bytes - previousFacts.bytes) * 8_000) / elapsedMs
        : null,
    codecs: codecs.length > 0 ? codecs.join(', ') : null,
    delay:
      emittedCount > 0
        ? networkDelay + (jitterDelay - previousFacts.jitterDelay) / emittedCount
        : previousFacts.delay,
  };
}

/** Number in a report; 0 if it is missing. */
const numberOf = (report: Report, name: string): number => {
  const value = report[name];
  return typeof value === 'number' ? value : 0;
};

/** Name of the codec in a codec report: "H264" for the MIME type "video/H264". */
function codecName(report: Report | undefined): string | undefined {
  const type = report?.['mimeType'];
  return typeof type === 'string' ? type.split('/')[1] : undefined;
}
