import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { within } from '@/lib/infra/within';
import { isSameHost, parseAddress } from './ip-address';

/** All addresses of a name. @throws when there is none */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The machine's own resolver, `/etc/hosts` included. */
export const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true });

/** The addresses of this service: what answers there trusts this machine, or is not meant for accounts. */
export interface OwnAddresses {
  /** @param address without brackets */
  includes(address: string): boolean;
  /** Looks again when the last look is older than half a minute. Never fails, and takes two seconds at most. */
  refresh(): Promise<void>;
}

interface OwnAddressesOptions {
  /** Names and addresses under which the service is reached (`publicHosts`). */
  readonly hosts?: readonly string[];
  readonly resolve?: Resolve;
  readonly interfaces?: () => ReturnType<typeof networkInterfaces>;
  /** Milliseconds of a clock that never jumps. */
  readonly monotonic?: () => number;
}

const freshMs = 30_000;
const resolveMs = 2_000;

/** The addresses of all network interfaces, and those that the public names of the service have. */
export function ownAddresses({
  hosts = [],
  resolve = systemResolve,
  interfaces = networkInterfaces,
  monotonic = () => performance.now(),
}: OwnAddressesOptions = {}): OwnAddresses {
  const bare = hosts.map((host) => host.replace(/^\[|\]$/g, ''));
  const names = [...new Set(bare.filter((host) => !parseAddress(host)))];
  const literal = bare.filter((host) => parseAddress(host));
  const resolvedNames = new Map<string, readonly string[]>();
  const resolveAll = () => {
    const local = Object.values(interfaces()).flatMap((addresses = []) =>
      addresses.map(({ address }) => address),
    );
    const allAddresses = [...local, ...literal, ...[...resolvedNames.values()].flat()];
    return (address: string) => allAddresses.some((ownHost) => isSameHost(ownHost, address));
  };
  let includes = resolveAll();
  let looking: Promise<void> | undefined;
  let resolvedAt = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    await Promise.all(
      names.map(async (name) => {
        const resolution = await within(resolveMs, resolve(name)).catch(() => null);
        // A name that cannot be looked up now keeps the addresses it had.
        if (resolution)
          resolvedNames.set(
            name,
            resolution.map(({ address }) => address),
          );
      }),
    );
    includes = resolveAll();
    resolvedAt = monotonic();
    looking = undefined;
  };
  return {
    includes: (address) => includes(address),
    refresh: () => (monotonic() - resolvedAt < freshMs ? Promise.resolve() : (looking ??= refresh())),
  };
}

/** The hosts of the public addresses in the settings. */
export function publicHosts(
  settings: Readonly<Record<'baseUrl' | 'cdnUrl' | 'uploadUrl' | 'rtmpUrl', string>> & {
    readonly rtmpsUrl?: string | undefined;
    readonly srtUrl?: string | undefined;
  },
): string[] {
  const { baseUrl, cdnUrl, uploadUrl, rtmpUrl, rtmpsUrl, srtUrl } = settings;
  // Hosts of unknown schemes would be left as they are written.
  return [baseUrl, cdnUrl, uploadUrl, rtmpUrl, rtmpsUrl, srtUrl].flatMap((url) =>
    url === undefined ? [] : [new URL(url.replace(/^(rtmps?|srt):/, 'http:')).hostname],
  );
}
