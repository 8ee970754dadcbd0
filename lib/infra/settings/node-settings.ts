import { z } from 'zod';
import { DAY_SECONDS } from '@/lib/core/units';
import type { nodeTlsVariables } from '../tls/node-tls-settings';
import type { dataVariables } from './data-settings';
import { httpUrl, commaSeparatedList, port, wholeNumber, type Reject, type Values } from './variable-types';

/** The roles of the service, in the order in which their processes are stopped. */
export const serviceRoles = ['web', 'jobs', 'origin', 'live'] as const;
export type ServiceRole = (typeof serviceRoles)[number];
const rolesExpected = { error: `some of ${serviceRoles.join(', ')}, separated by commas` };

/** What a machine runs, and how the others reach it. */
export const nodeVariables = {
  ROLES: commaSeparatedList(z.array(z.enum(serviceRoles, rolesExpected)).min(1, rolesExpected))
    .optional()
    .describe(
      'what this machine runs ([several machines](#several-machines)); with some left out, `DATABASE_URL` is required',
    ),
  INTERNAL_HOST: z
    .union([z.ipv4(), z.ipv6()], { error: 'an IP address of this machine' })
    .default('127.0.0.1')
    .describe('IP address that live and jobs listen on for other machines'),
  INTERNAL_PORT: port.optional().meta({
    defaultText: 'any free ports',
    description:
      'first port for other machines: of live; jobs gets the next one, [further processes](#several-processes-of-a-role) those after it',
  }),
  INTERNAL_URL: z
    .url({ protocol: /^https?$/, error: 'a URL without a port' })
    .refine((url) => new URL(url).port === '', { error: 'a URL without a port' })
    .overwrite((url) => new URL(url).origin)
    .optional()
    .meta({
      defaultText: 'scheme and `INTERNAL_HOST`',
      description:
        'scheme and host where other machines reach this one, without a port; `https` with `INTERNAL_TLS_CERT`',
    }),
  UPSTREAM_ORIGIN: httpUrl
    .optional()
    .describe(
      'URL of an origin or edge: makes this machine an [edge](scaling.md#edges) in front of it, which uses only the settings `HOST`, `MEDIA_PORT`, `DATA_DIR`, `TRUSTED_PROXIES`, `ORIGIN_CACHE_BYTES`',
    ),
  DRAIN_SECONDS: wholeNumber('seconds', { min: 0, max: DAY_SECONDS }).optional().meta({
    defaultText: '`5` with other live nodes, else `0`',
    description: 'time that the streams of a [draining node](#drain-a-node) have to end or move',
  }),
  REGION: z
    .string()
    .regex(/^[\w.-]{1,63}$/, { error: 'up to 63 letters, digits, dots, dashes and underscores' })
    .optional()
    .describe('name of the place where this machine is, for example `eu-west`, for `GET /api/ingest`'),
};

type NodeVariables = Values<
  typeof nodeVariables &
    Pick<typeof nodeTlsVariables, 'INTERNAL_TLS_CERT'> &
    Pick<typeof dataVariables, 'DATABASE_URL'>
>;

/** Rejects roles and internal URLs that contradict each other. */
export function checkNode(values: NodeVariables, reject: Reject): void {
  const { ROLES: roles, UPSTREAM_ORIGIN: upstream, INTERNAL_URL: url, INTERNAL_HOST: host } = values;
  if (upstream !== undefined && roles?.some((role) => role !== 'origin')) {
    reject('ROLES', 'origin alone, because UPSTREAM_ORIGIN makes this machine an edge');
  }
  const leavesRolesOut = nodeDefaults(values).ROLES.length < serviceRoles.length;
  if (leavesRolesOut && !values.DATABASE_URL && upstream === undefined)
    reject('DATABASE_URL', 'the database of the other nodes, because ROLES leaves some out');
  if (url === undefined && (host === '0.0.0.0' || host === '::')) {
    reject('INTERNAL_URL', `the URL where other nodes reach this one, because INTERNAL_HOST is ${host}`);
  }
  const protocol = protocolOf(values);
  if (url !== undefined && new URL(url).protocol !== protocol) {
    const reason = protocol === 'https:' ? 'INTERNAL_TLS_CERT is set' : 'INTERNAL_TLS_CERT is not set';
    reject('INTERNAL_URL', `an ${protocol}// URL, because ${reason}`);
  }
}

/** Roles in the order of `serviceRoles`, and the internal URL. By default, an edge runs the role origin only. */
export function nodeDefaults(values: NodeVariables) {
  const { UPSTREAM_ORIGIN: upstream, INTERNAL_HOST: host } = values;
  const roles: readonly ServiceRole[] = values.ROLES ?? (upstream === undefined ? serviceRoles : ['origin']);
  const { INTERNAL_URL = `${protocolOf(values)}//${host.includes(':') ? `[${host}]` : host}` } = values;
  return { ROLES: serviceRoles.filter((role) => roles.includes(role)), INTERNAL_URL };
}

const protocolOf = ({ INTERNAL_TLS_CERT: cert }: NodeVariables) => (cert === undefined ? 'http:' : 'https:');
