import { RecordingSink } from '@/media-worker/ingest/publisher/testing/recording-sink';
import type { SrtLimits } from '@/media-worker/ingest/srt/srt-limits';
import { type SrtServer, startSrtServer } from '@/media-worker/ingest/srt/srt-server';
import { TsMuxer, VIDEO_PID } from '@/media-worker/media/mpegts/testing/ts-muxer';
import type { AdmitPublish, PublisherConnection, PublishRequest } from '@/media-worker/media/packets/publish';

export interface SrtAdmitted {
  readonly request: PublishRequest;
  readonly connection: PublisherConnection;
  readonly sink: RecordingSink;
}

export interface SrtIngest extends AsyncDisposable {
  readonly server: SrtServer;
  readonly port: number;
  readonly publishes: SrtAdmitted[];
  /** Reasons of rejections caused by the passphrase. */
  readonly rejections: string[];
  /** Every log line. */
  readonly logLines: string[];
}

interface HarnessOptions {
  readonly host?: string;
  readonly limits?: Partial<SrtLimits>;
  /** Passphrase of every stream; none by default. */
  readonly passphrase?: string;
  /** The admission; by default, every key that starts with `good` gets a RecordingSink. */
  readonly admit?: AdmitPublish;
}

/** Long timeouts, so that only the test ends a connection, even on a busy machine. */
const testLimits: Partial<SrtLimits> = {
  minRejectionMs: 0,
  silenceTimeoutMs: 240_000,
  latencyMs: 60_000,
  maxLatencyMs: 60_000,
};

export async function startSrtIngest(options: HarnessOptions = {}): Promise<SrtIngest> {
  const { host = '127.0.0.1', passphrase = null } = options;
  const publishes: SrtAdmitted[] = [];
  const [rejections, logLines]: [string[], string[]] = [[], []];
  const write = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    logLines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const admitGoodKeys: AdmitPublish = async (request, connection) => {
    if (!request.streamKey.startsWith('good')) return null;
    const rejection = await request.checkPassphrase?.(passphrase);
    if (rejection) {
      rejections.push(rejection.message);
      return 'rejected';
    }
    const sink = new RecordingSink();
    publishes.push({ request, connection, sink });
    return sink;
  };
  const server = await startSrtServer({
    port: 0,
    host,
    admit: options.admit ?? admitGoodKeys,
    log: { debug: write, info: write, warn: write },
    limits: { ...testLimits, ...options.limits },
  });
  const close = () => server.close();
  return { server, port: server.port, publishes, rejections, logLines, [Symbol.asyncDispose]: close };
}

/** MPEG-TS messages with one keyframe each, 40 ms apart, labelled K0, K40, … */
export function muxKeyframes(count: number): Buffer[] {
  const muxer = new TsMuxer();
  const picture = Buffer.from(
    '0000000109f000000001674200 1f0000000168ce000000016555'.replace(' ', ''),
    'hex',
  );
  const frames = Array.from({ length: count }, (_, index) =>
    muxer.pes({ pid: VIDEO_PID, data: picture, pts: index * 3_600 }),
  );
  // Stream type 0x1b is H.264.
  return [muxer.tables({ video: 0x1b }), ...frames];
}
