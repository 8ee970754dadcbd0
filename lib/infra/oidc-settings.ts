import { z } from 'zod';

/** Settings of an OpenID Connect provider for sign-in. */
export interface OidcSettings {
  /** Issuer URL without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Domains in lower case; empty to allow every address that the issuer verified. */
  readonly allowedDomains: readonly string[];
  /** Provider name on the sign-in button. */
  readonly name: string;
}

const domains = (value: unknown) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim().toLowerCase())
        .filter(Boolean)
    : value;

/** Environment variables for OpenID Connect. OIDC_ISSUER enables it. */
export const oidcEnvironment = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'an http:// or https:// URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).max(500).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).max(2_000).optional(),
  OIDC_ALLOWED_DOMAINS: z
    .preprocess(
      domains,
      z.array(
        z.string().regex(/^[a-z\d-]+(\.[a-z\d-]+)*$/, {
          error: 'domains of email addresses separated by commas, for example example.com',
        }),
      ),
    )
    .default([]),
  OIDC_NAME: z.string().min(1).max(60).optional(),
};

type OidcEnvironment = z.output<z.ZodObject<typeof oidcEnvironment>>;

/**
 * OpenID Connect settings; undefined if sign-in uses passwords only.
 * @returns a text with the missing setting if they are incomplete
 */
export function oidcSettingsOf(settings: OidcEnvironment): OidcSettings | string | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined) return undefined;
  if (clientId === undefined) return 'OIDC_CLIENT_ID: expected because OIDC_ISSUER is set';
  if (clientSecret === undefined) return 'OIDC_CLIENT_SECRET: expected because OIDC_ISSUER is set';
  const name = settings.OIDC_NAME ?? new URL(issuer).hostname;
  return { issuer, clientId, clientSecret, allowedDomains: settings.OIDC_ALLOWED_DOMAINS, name };
}
