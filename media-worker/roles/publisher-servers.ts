import type { WorkerContext } from '@/lib/domain/context';
import { acceptsSrt } from '@/lib/infra/settings/srt-settings';
import { certificateOf } from '@/lib/infra/tls/certificate';
import { defaultLimits } from '@/media-worker/ingest/rtmp/ingest-limits';
import { startRtmpServer, type RtmpServer } from '@/media-worker/ingest/rtmp/rtmp-server';
import { defaultSrtLimits } from '@/media-worker/ingest/srt/srt-limits';
import { startSrtServer, type SrtServer } from '@/media-worker/ingest/srt/srt-server';
import type { AdmitPublish } from '@/media-worker/media/packets/publish';

/** The servers of one live process to which encoders connect. */
export interface PublisherServers {
  readonly rtmp: RtmpServer;
  /** The SRT server; null if this process does not listen for SRT. */
  readonly srt: SrtServer | null;
  /** Log fields with the ports: `port` is RTMP, `tlsPort` is RTMPS. */
  readonly ports: Readonly<Record<string, number | undefined>>;
  close(): Promise<void>;
}

/**
 * Starts the RTMP server, which listens for RTMPS as well if there is a certificate, and the SRT server if it is on.
 * @throws the error of a port that cannot be opened
 */
export async function startPublisherServers(
  ctx: WorkerContext,
  admit: AdmitPublish,
): Promise<PublisherServers> {
  const rtmp = await startRtmp(ctx, admit);
  const srt = await startSrt(ctx, admit).catch(async (error: unknown) => {
    await rtmp.close();
    throw error;
  });
  return {
    rtmp,
    srt,
    ports: { port: rtmp.port, tlsPort: rtmp.rtmpsPort ?? undefined, srtPort: srt?.port },
    close: async () => {
      await Promise.all([rtmp.close(), srt?.close()]);
    },
  };
}

function startRtmp({ settings, log }: WorkerContext, admit: AdmitPublish): Promise<RtmpServer> {
  const { rtmpPort: port, host, trustedProxies, rtmpClientsPerAddress: connectionsPerAddress } = settings;
  const connections = Math.max(defaultLimits.connections, connectionsPerAddress);
  const limits = { connections, connectionsPerAddress };
  const { publicTls, rtmpsPort } = settings;
  const tls = publicTls && rtmpsPort && { port: rtmpsPort, certificate: certificateOf(publicTls) };
  return startRtmpServer({ port, host, trustedProxies, log, limits, admit, tls: tls || undefined });
}

async function startSrt({ settings, log }: WorkerContext, admit: AdmitPublish): Promise<SrtServer | null> {
  const { srtPort: port, host, rtmpClientsPerAddress: connectionsPerAddress } = settings;
  if (port === undefined || !acceptsSrt(settings)) return null;
  const connections = Math.max(defaultSrtLimits.connections, connectionsPerAddress);
  return startSrtServer({ port, host, log, admit, limits: { connections, connectionsPerAddress } });
}
