import { isIPv6 } from 'node:net';
import type { MuxedDestination } from '@/lib/core/targets/target-url';
import { EgressError } from '@/lib/infra/egress/egress-error';
import type { EgressSockets } from '@/lib/infra/egress/egress-socket';
import { openRelay, type Relay } from './relay';

export interface ConnectTargetOptions {
  readonly destination: MuxedDestination;
  readonly sockets: EgressSockets;
  /** Whether an address is an ingest of this installation. */
  readonly isOwn: (destination: { address: string; port: number }) => Promise<boolean>;
  readonly timeoutMs: number;
}

/** The connection that ffmpeg opens to reach a target. */
export interface TargetConnection {
  /** The address that ffmpeg connects to, as `host:port`. */
  readonly address: string;
  /** The loopback relay; null for SRT, where ffmpeg connects directly. */
  readonly relay: Relay | null;
}

/** Thrown when the connection would lead back to an ingest of this installation. */
export class OwnIngestError extends EgressError {
  constructor() {
    super('unreachable', 'this is the ingest of this service: the stream would loop');
  }
}

/**
 * Connects to an RTMP target, with TLS if its URL says so. For an SRT target, only its address is resolved and
 * checked.
 * @throws EgressError if the target cannot be reached or is not allowed
 */
export async function connectTarget(options: ConnectTargetOptions): Promise<TargetConnection> {
  const { destination, sockets, isOwn, timeoutMs } = options;
  const { host, port } = destination;
  if (destination.kind === 'srt') {
    const address = await sockets.resolve(host, { timeoutMs });
    if (await isOwn({ address, port })) throw new OwnIngestError();
    return { address: isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`, relay: null };
  }
  const targetSocket = await sockets.connect({ host, port, tls: destination.tls }, { timeoutMs });
  if (await isOwn({ address: targetSocket.remoteAddress ?? '', port })) {
    targetSocket.destroy();
    throw new OwnIngestError();
  }
  const relay = await openRelay(targetSocket);
  return { address: relay.address, relay };
}
