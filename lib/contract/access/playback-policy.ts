import { DAY_SECONDS } from '@/lib/core/units';
import { z } from 'zod';
import { parseCountry } from '@/lib/core/access/countries';
import { parseOrigin } from '@/lib/core/access/origin';
import { playbackPolicyTypes } from '@/lib/core/access/playback-policy';
import { text, uuid } from '@/lib/contract/primitives';

const allowedOrigin = z
  .string()
  .max(300)
  .refine((value) => value === '*' || parseOrigin(value) !== null, {
    error: 'must be scheme://host[:port] for example https://example.com, or * for any origin',
  })
  .transform((value) => parseOrigin(value) ?? value);

/** Schema of a list of country codes, which are stored in upper case and without duplicates. */
const countries = z
  .array(
    z
      .string()
      .max(10)
      .refine((value) => parseCountry(value) !== null, {
        error: 'must be an ISO 3166-1 alpha-2 country code, for example DE',
      })
      .transform((value) => parseCountry(value) ?? value),
  )
  .max(250)
  .transform((codes) => [...new Set(codes)])
  .exactOptional();

const policyType = z.enum(playbackPolicyTypes).meta({
  description:
    'public: anyone with the playback id. jwt: viewers with a token signed by a signing key or created by POST /api/playback/{id}/token. webhook: viewers that your webhook admits. password: viewers who know the password.',
});

/** Maximum length of `webhookContext` as JSON text, in characters. */
export const MAX_CONTEXT_LENGTH = 2_048;

const webhookContext = z.record(z.string(), z.json());

const commonFields = {
  type: policyType,
  allowedOrigins: z
    .array(allowedOrigin)
    .max(50)
    .exactOptional()
    .meta({ description: 'Only pages of these origins may play. Omitted or empty: pages of any origin.' }),
  allowedCountries: countries.meta({
    description:
      'Only viewers in these countries may watch: ISO 3166-1 alpha-2 codes. Requires GEOIP_DB on the server. Viewers with an unknown country may not watch.',
  }),
  blockedCountries: countries.meta({
    description:
      'Viewers in these countries may not watch: ISO 3166-1 alpha-2 codes. Requires GEOIP_DB on the server. Send either this or allowedCountries.',
  }),
  webhookId: uuid
    .exactOptional()
    .meta({ description: 'For type webhook: the webhook of the team that decides.' }),
  webhookContext: webhookContext
    .refine((context) => JSON.stringify(context).length <= MAX_CONTEXT_LENGTH, {
      error: `must not exceed ${MAX_CONTEXT_LENGTH} characters as JSON`,
    })
    .exactOptional()
    .meta({ description: 'Sent to the webhook with each request. Never shown to viewers.' }),
  webhookFallback: z
    .enum(['deny', 'allow'])
    .exactOptional()
    .meta({ description: 'Whether viewers may watch while the webhook does not respond. Default deny.' }),
  refreshInterval: z
    .int()
    .min(10)
    .max(DAY_SECONDS)
    .exactOptional()
    .meta({ description: 'Seconds after which the webhook is asked about a viewer again. Default 600.' }),
};

/** Playback policy of a stream or asset, as its team gets it. The password is never returned. */
export const playbackPolicy = z
  .object({
    ...commonFields,
    allowedOrigins: z.array(z.string()).exactOptional(),
    allowedCountries: z.array(z.string()).exactOptional(),
    blockedCountries: z.array(z.string()).exactOptional(),
    webhookContext: webhookContext.exactOptional(),
  })
  .meta({ id: 'PlaybackPolicy' });

export type PlaybackPolicy = z.output<typeof playbackPolicy>;

/** Playback policy in responses that anyone can get, without the data that is sent to the webhook. */
export const publicPlaybackPolicy = playbackPolicy
  .pick({
    type: true,
    allowedOrigins: true,
    allowedCountries: true,
    blockedCountries: true,
    refreshInterval: true,
    webhookId: true,
  })
  .meta({ id: 'PublicPlaybackPolicy' });

export type PublicPlaybackPolicy = z.output<typeof publicPlaybackPolicy>;

/** Playback policy in requests, where it may have a new password. */
export const playbackPolicyInput = z
  .strictObject({
    ...commonFields,
    password: text(200, 4)
      .transform((value) => value.normalize('NFKC'))
      .exactOptional()
      .meta({
        description:
          'For type password: 4 to 200 characters. Never returned. Omitted: the password is not changed.',
      }),
  })
  .superRefine((policy, context) => {
    if (policy.type === 'webhook' && policy.webhookId === undefined) {
      context.addIssue({ code: 'custom', path: ['webhookId'], message: 'is required for type webhook' });
    }
    if (policy.allowedCountries?.length && policy.blockedCountries?.length) {
      const message = 'is not allowed together with allowedCountries: send one of them';
      context.addIssue({ code: 'custom', path: ['blockedCountries'], message });
    }
    if (policy.type !== 'password' && policy.password !== undefined) {
      context.addIssue({ code: 'custom', path: ['password'], message: 'is allowed for type password only' });
    }
  })
  .meta({
    id: 'PlaybackPolicyInput',
    description:
      'Who may watch. Null: anyone with the playback id. Existing copies of an asset on IPFS stay readable for anyone who has them; this server no longer serves them.',
  });

export type PlaybackPolicyInput = z.output<typeof playbackPolicyInput>;
