import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';

/** All addresses of a name. @throws when there is none */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The machine's own resolver, `/etc/hosts` included. */
export const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true });
