import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Settings } from '@/lib/infra/env';
import { isSameHost } from '@/lib/infra/egress/ip-address';

type IngestSettings = Pick<Settings, 'rtmpUrl' | 'rtmpPort'>;

/**
 * Whether an address is this service's own RTMP ingest, whatever name it was reached by: pushing a stream there would
 * loop.
 */
export async function isOwnIngest(
  { address, port }: { readonly address: string; readonly port: number },
  settings: IngestSettings,
): Promise<boolean> {
  if (port === settings.rtmpPort && localAddresses().some((own) => isSameHost(own, address))) return true;
  const announced = new URL(settings.rtmpUrl.replace(/^rtmps?:/, 'http:'));
  const announcedPort = Number(announced.port) || (settings.rtmpUrl.startsWith('rtmps:') ? 443 : 1935);
  if (port !== announcedPort) return false;
  // Behind a load balancer the announced address does not belong to this machine.
  const addresses = await lookup(announced.hostname, { all: true }).catch(() => []);
  return addresses.some((own) => isSameHost(own.address, address));
}

const localAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address);
