import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Settings } from '@/lib/infra/env';

type IngestSettings = Pick<Settings, 'rtmpUrl' | 'rtmpPort'>;

/**
 * Whether an address is where this service takes streams itself, by whatever name it was reached: a stream that is
 * sent there comes back in circles.
 */
export async function isOwnIngest(
  { address, port }: { readonly address: string; readonly port: number },
  settings: IngestSettings,
): Promise<boolean> {
  const bare = plain(address);
  if (port === settings.rtmpPort && ownAddresses().has(bare)) return true;
  const announced = new URL(settings.rtmpUrl.replace(/^rtmps?:/, 'http:'));
  const announcedPort = Number(announced.port) || (settings.rtmpUrl.startsWith('rtmps:') ? 443 : 1935);
  if (port !== announcedPort) return false;
  // Behind a load balancer the announced address is none of this machine's.
  const addresses = await lookup(announced.hostname, { all: true }).catch(() => []);
  return addresses.some((own) => plain(own.address) === bare);
}

function ownAddresses(): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => plain(address)));
}

/** IPv4 in IPv6's clothes is the same host; so is every address of the loopback interface. */
function plain(address: string): string {
  const bare = address.replace(/^::ffff:/, '').replace(/%.*$/, '');
  return bare === '::1' || bare.startsWith('127.') ? 'loopback' : bare;
}
