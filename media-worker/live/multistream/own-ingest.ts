import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Context } from '@/lib/domain/context';
import { readUrl } from '@/lib/core/read-url';
import { isSameHost } from '@/lib/infra/egress/ip-address';
import { findLiveNodeUrls, type LiveNodeUrls } from '@/lib/domain/nodes';

interface Address {
  readonly address: string;
  readonly port: number;
}

/**
 * Whether an IP address and port are the ingest of a node of this service, even under another host name. A stream
 * that is sent there would loop.
 */
export async function isOwnIngest(
  { address, port }: Address,
  ctx: Pick<Context, 'db' | 'settings'>,
): Promise<boolean> {
  const { rtmpPort, rtmpsPort, srtPort, rtmpUrl, rtmpsUrl = null, srtUrl = null } = ctx.settings;
  const isOwnPort = port === rtmpPort || port === rtmpsPort || port === srtPort;
  if (isOwnPort && listLocalAddresses().some((localAddress) => isSameHost(localAddress, address)))
    return true;
  // Without the database, the node knows only its own address.
  const liveNodes = await findLiveNodeUrls(ctx).catch((): LiveNodeUrls[] => []);
  const ownUrls = { ingestUrl: rtmpUrl, secureIngestUrl: rtmpsUrl, srtIngestUrl: srtUrl };
  const hosts = [ownUrls, ...liveNodes].flatMap((node) => ingestHostsAt(port, node, isOwnPort));
  const ingestAddresses = await Promise.all([...new Set(hosts)].map(resolveHost));
  return ingestAddresses.flat().some((ownIp) => isSameHost(ownIp, address));
}

/**
 * Hosts of a node that may listen for publishers on this port.
 * @param isOwnPort whether this node listens on the port, as the other nodes then probably do
 */
function ingestHostsAt(
  port: number,
  { ingestUrl, secureIngestUrl, srtIngestUrl, url }: Partial<LiveNodeUrls>,
  isOwnPort: boolean,
): string[] {
  const announcedUrls = [ingestUrl, secureIngestUrl, srtIngestUrl].flatMap((announcedUrl) => {
    // `URL` reads the host and the port only of schemes that it knows.
    const parsedUrl = readUrl(announcedUrl?.replace(/^(rtmps?|srt):/, 'http:') ?? '');
    const announcedPort = Number(parsedUrl?.port) || (announcedUrl?.startsWith('rtmps:') ? 443 : 1935);
    return parsedUrl && announcedPort === port ? [parsedUrl] : [];
  });
  // Behind a load balancer, the announced host is not the machine itself, which its internal URL names.
  const machineUrl = isOwnPort ? readUrl(url ?? '') : null;
  return [...announcedUrls, ...(machineUrl ? [machineUrl] : [])].map(({ hostname }) =>
    hostname.replace(/^\[|\]$/g, ''),
  );
}

async function resolveHost(host: string): Promise<string[]> {
  const records = await lookup(host, { all: true }).catch(() => []);
  return records.map(({ address }) => address);
}

const listLocalAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address);
