import type { PullFinding } from '@/lib/core/streams/pull/pull-finding';
import type { HttpSource, PullSource, RtspSource } from '@/lib/core/streams/pull/pull-source';
import type { RtmpDestination, SrtDestination } from '@/lib/core/targets/target-url';
import type { Egress } from '@/lib/infra/egress/egress';
import type { EgressSockets } from '@/lib/infra/egress/egress-socket';
import { connectTarget } from '@/media-worker/live/multistream/connect-target';
import type { PullInput } from '@/media-worker/media/ffmpeg/pull-args';
import { openHlsProxy } from './hls-proxy';
import { openRtspRelay } from './rtsp-relay';

/** The network clients that a pull uses. */
export interface PullClients {
  readonly egress: Egress;
  readonly sockets: EgressSockets;
  /** Whether an IP address and port are an ingest of this installation. */
  readonly isOwn: (endpoint: { address: string; port: number }) => Promise<boolean>;
}

/** An open source that ffmpeg reads through this process. */
export interface OpenSource {
  readonly input: PullInput;
  /** Returns the reason why the source rejected the pull; null if it has not. */
  finding(): PullFinding | null;
  /** Closes the connection or proxy. Idempotent. */
  close(): void;
}

interface OpenOptions extends PullClients {
  readonly headers: Readonly<Record<string, string>>;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects to a source, or opens a proxy for it.
 * @throws EgressError
 */
export function openSource(source: PullSource, options: OpenOptions): Promise<OpenSource> {
  switch (source.kind) {
    case 'http':
      return openHttp(source, options);
    case 'rtsp':
      return openRtsp(source, options);
    case 'rtmp':
    case 'srt':
      return openRtmpOrSrt(source, options);
  }
}

async function openHttp(source: HttpSource, { egress, headers }: OpenOptions): Promise<OpenSource> {
  const proxy = await openHlsProxy({ egress, source, headers });
  return {
    input: {
      url: proxy.url,
      options: { http_proxy: proxy.proxyUrl },
      protocols: ['http', 'tcp', 'crypto'],
      formats: ['hls', 'mpegts', 'mov', 'flv', 'live_flv', 'aac', 'mp3'],
      // A file or playlist would be read faster than real time.
      isPaced: true,
    },
    finding: () => proxy.finding,
    close: () => proxy.close(),
  };
}

async function openRtsp(source: RtspSource, { sockets }: OpenOptions): Promise<OpenSource> {
  const { host, port } = source;
  const sourceSocket = await sockets.connect({ host, port, tls: false }, { timeoutMs: CONNECT_TIMEOUT_MS });
  const relay = await openRtspRelay(sourceSocket, source);
  return {
    input: {
      url: relay.url,
      // Media arrives on the RTSP connection, so that ffmpeg opens no other connection.
      options: { rtsp_transport: 'tcp', allowed_media_types: 'video+audio' },
      protocols: ['tcp'],
      formats: ['rtsp', 'sdp'],
      isPaced: false,
    },
    finding: () => relay.finding,
    close: () => relay.close(),
  };
}

/** Opens an RTMP or SRT source with the connection code of multistream targets. */
async function openRtmpOrSrt(
  destination: RtmpDestination | SrtDestination,
  { sockets, isOwn }: OpenOptions,
): Promise<OpenSource> {
  const { address, relay } = await connectTarget({
    destination,
    sockets,
    isOwn,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  const input = destination.kind === 'srt' ? srtInput(destination, address) : rtmpInput(destination, address);
  const isSilent = () => relay !== null && relay.receivedBytes === 0 && relay.lossReason !== null;
  return {
    input,
    finding: () => (isSilent() ? { outcome: 'no_answer' } : null),
    close: () => relay?.close(),
  };
}

const rtmpInput = ({ app, key, serverUrl }: RtmpDestination, address: string): PullInput => ({
  url: `rtmp://${address}/`,
  options: { rtmp_app: app, rtmp_playpath: key, rtmp_tcurl: serverUrl, rtmp_live: 'live' },
  protocols: ['rtmp', 'tcp'],
  formats: ['flv', 'live_flv'],
  isPaced: false,
});

const srtInput = ({ options }: SrtDestination, address: string): PullInput => ({
  url: `srt://${address}?mode=caller`,
  options: { ...options, connect_timeout: String(CONNECT_TIMEOUT_MS) },
  protocols: ['srt'],
  formats: ['mpegts'],
  isPaced: false,
});
