import { z } from 'zod';
import { httpUrl, commaSeparatedList } from './variable-types';

const cidr = z.union([z.cidrv4(), z.cidrv6()], {
  error: 'CIDR ranges separated by commas, for example 127.0.0.1/32',
});
const email = z
  .string()
  .toLowerCase()
  .pipe(z.email({ error: 'email addresses separated by commas' }));
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Who may use and operate the service, and what operators see of it. */
export const accessVariables = {
  SIGN_UP: z
    .enum(['open', 'invite', 'closed'], { error: 'open, invite or closed' })
    .default('open')
    .describe(
      '`open`: anyone who can reach the dashboard can create an account; `invite`: only with an [invitation](#invitations); `closed`: only with `account:create` on the command line',
    ),
  REQUIRE_SECOND_FACTOR: z
    .enum(['off', 'operators', 'all'], { error: 'off, operators or all' })
    .default('off')
    .describe(
      'who must set up [two-step login](#two-step-login) before using the dashboard: `off`, `operators` or `all`',
    ),
  OPERATOR_EMAILS: commaSeparatedList(z.array(email))
    .default([])
    .describe(
      'email addresses of the accounts that operate this service, comma-separated: they have the [Admin area](#admin-area). Sign-up does not create these accounts; `account:create` and an invitation do',
    ),
  EGRESS_ALLOW_CIDRS: commaSeparatedList(z.array(cidr))
    .default([])
    .describe(
      'private ranges, or addresses of this service, that [outbound requests](#outbound-requests) may reach, comma-separated, for example `10.0.0.0/8`',
    ),
  TRUSTED_PROXIES: commaSeparatedList(z.array(cidr))
    .default(['127.0.0.0/8', '::1/128'])
    .describe(
      "ranges of your proxies and load balancers, comma-separated: only their `X-Forwarded-For` and [PROXY headers](scaling.md#behind-a-tcp-balancer) are used as the client's address",
    ),
  METRICS_TOKEN: z
    .string()
    .min(16, { error: 'at least 16 characters' })
    .optional()
    .describe(
      'at least 16 characters; bearer token that [`/metrics`](#metrics) requires. Without it, only this machine may read metrics',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional().meta({
    defaultText: 'no traces',
    description: 'URL of an OpenTelemetry collector that receives [traces](#traces) over HTTP',
  }),
  LOG_LEVEL: z
    .enum(logLevels, { error: `one of ${logLevels.join(', ')}` })
    .default('info')
    .describe('`trace`, `debug`, `info`, `warn`, `error` or `silent`'),
};
