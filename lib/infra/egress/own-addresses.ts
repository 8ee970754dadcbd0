import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { within } from '@/lib/infra/within';
import { isSameHost, parseAddress } from './ip-address';

/**
 * Resolves a name to all its addresses.
 * @throws Error if there is none
 */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Resolver of the machine, including `/etc/hosts`. */
export const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true });

/** Addresses of this service. Teams must not reach them, because servers on these addresses may trust this machine. */
export interface OwnAddresses {
  /** @param address without brackets */
  includes(address: string): boolean;
  /** Refreshes the addresses if they are older than half a minute. Never rejects, and takes two seconds at most. */
  refresh(): Promise<void>;
}

interface OwnAddressesOptions {
  /** Names and addresses under which the service is reached (`publicHosts`). */
  readonly hosts?: readonly string[];
  readonly resolve?: Resolve;
  readonly interfaces?: () => ReturnType<typeof networkInterfaces>;
  /** Monotonic milliseconds. */
  readonly monotonic?: () => number;
}

const MAX_AGE_MS = 30_000;
const LOOKUP_TIMEOUT_MS = 2_000;

/** Creates the set of the addresses of all network interfaces and of the public hosts of the service. */
export function createOwnAddresses({
  hosts = [],
  resolve = systemResolve,
  interfaces = networkInterfaces,
  monotonic = () => performance.now(),
}: OwnAddressesOptions = {}): OwnAddresses {
  const hostsWithoutBrackets = hosts.map((host) => host.replace(/^\[|\]$/g, ''));
  const names = [...new Set(hostsWithoutBrackets.filter((host) => !parseAddress(host)))];
  const literalAddresses = hostsWithoutBrackets.filter((host) => parseAddress(host));
  const resolvedNames = new Map<string, readonly string[]>();
  const createIncludes = () => {
    const interfaceAddresses = Object.values(interfaces()).flatMap((addresses = []) =>
      addresses.map(({ address }) => address),
    );
    const allAddresses = [...interfaceAddresses, ...literalAddresses, ...[...resolvedNames.values()].flat()];
    return (address: string) => allAddresses.some((ownHost) => isSameHost(ownHost, address));
  };
  let includes = createIncludes();
  let runningRefresh: Promise<void> | undefined;
  let resolvedAt = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    await Promise.all(
      names.map(async (name) => {
        const resolution = await within(LOOKUP_TIMEOUT_MS, resolve(name)).catch(() => null);
        // A name whose lookup fails keeps its previous addresses.
        if (resolution)
          resolvedNames.set(
            name,
            resolution.map(({ address }) => address),
          );
      }),
    );
    includes = createIncludes();
    resolvedAt = monotonic();
    runningRefresh = undefined;
  };
  return {
    includes: (address) => includes(address),
    refresh: () =>
      monotonic() - resolvedAt < MAX_AGE_MS ? Promise.resolve() : (runningRefresh ??= refresh()),
  };
}

/** Hosts of the public URLs in the settings. */
export function publicHosts(
  settings: Readonly<Record<'baseUrl' | 'cdnUrl' | 'uploadUrl' | 'rtmpUrl', string>> & {
    readonly rtmpsUrl?: string | undefined;
    readonly srtUrl?: string | undefined;
  },
): string[] {
  const { baseUrl, cdnUrl, uploadUrl, rtmpUrl, rtmpsUrl, srtUrl } = settings;
  // Hosts of unknown schemes would not be normalized, so http is used for parsing.
  return [baseUrl, cdnUrl, uploadUrl, rtmpUrl, rtmpsUrl, srtUrl].flatMap((url) =>
    url === undefined ? [] : [new URL(url.replace(/^(rtmps?|srt):/, 'http:')).hostname],
  );
}
