import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Context } from '@/lib/domain/context';
import { readUrl } from '@/lib/core/read-url';
import { isSameHost } from '@/lib/infra/egress/ip-address';
import { findLiveAddresses, type LiveAddress } from '@/lib/domain/nodes';

interface Address {
  readonly address: string;
  readonly port: number;
}

/**
 * Whether an address is the ingest of a node of this service, even under another name. Pushing a stream there would create a
 * loop.
 */
export async function isOwnIngest(
  { address, port }: Address,
  ctx: Pick<Context, 'db' | 'settings'>,
): Promise<boolean> {
  const { rtmpPort, rtmpsPort, srtPort, rtmpUrl, rtmpsUrl = null, srtUrl = null } = ctx.settings;
  const listening = port === rtmpPort || port === rtmpsPort || port === srtPort;
  if (listening && localAddresses().some((localAddress) => isSameHost(localAddress, address))) return true;
  // Without the database, the node knows only its own address.
  const liveAddresses = await findLiveAddresses(ctx).catch((): LiveAddress[] => []);
  const ownAddress = { ingestUrl: rtmpUrl, secureIngestUrl: rtmpsUrl, srtIngestUrl: srtUrl };
  const hosts = [ownAddress, ...liveAddresses].flatMap((node) => hostsAt(port, node, listening));
  const ingestAddresses = await Promise.all([...new Set(hosts)].map(addressesOf));
  return ingestAddresses.flat().some((ownIp) => isSameHost(ownIp, address));
}

/** Hosts of a node that may listen for publishers on this port. @param listening whether this node does */
function hostsAt(
  port: number,
  { ingestUrl, secureIngestUrl, srtIngestUrl, url }: Partial<LiveAddress>,
  listening: boolean,
): string[] {
  const urls = [ingestUrl, secureIngestUrl, srtIngestUrl].flatMap((address) => {
    const url = readUrl(address?.replace(/^(rtmps?|srt):/, 'http:') ?? '');
    const announcedPort = Number(url?.port) || (address?.startsWith('rtmps:') ? 443 : 1935);
    return url && announcedPort === port ? [url] : [];
  });
  // Behind a load balancer, the announced address is not the machine's own.
  const machine = listening ? readUrl(url ?? '') : null;
  return [...urls, ...(machine ? [machine] : [])].map(({ hostname }) => hostname.replace(/^\[|\]$/g, ''));
}

async function addressesOf(host: string): Promise<string[]> {
  const records = await lookup(host, { all: true }).catch(() => []);
  return records.map(({ address }) => address);
}

const localAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address);
