import { WEEK_SECONDS } from '@/lib/core/units';
import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { timestamp } from '@/lib/contract/primitives';

const credential = z.string().max(8_192).exactOptional();

/** Query parameters with which a viewer proves the right to watch. */
export const viewerProof = z.object({
  jwt: credential.meta({ description: 'A token signed with a signing key.' }),
  token: credential.meta({ description: 'A playback token.' }),
  accessKey: credential.meta({ description: 'The access key, which your webhook checks.' }),
});

export type ViewerProof = z.output<typeof viewerProof>;

const playbackIdParams = z.object({
  id: z.string().meta({ description: 'The playback id or, for a recording, the id of its session.' }),
});

const playbackToken = z
  .object({
    token: z
      .string()
      .meta({ description: 'Add it as `?token=` to URLs for viewers: watch page, embed, playlist, MP4.' }),
    expiresAt: timestamp.meta({
      description: 'Playback must start before this time, and can then continue for up to a day.',
    }),
  })
  .meta({ id: 'PlaybackToken' });

export type PlaybackToken = z.output<typeof playbackToken>;

const examplePlaybackId = 'f3a1h2v9c8x7m6n5';
const exampleToken = {
  token: 'aWkX1AEDhZ2kq1m0Yw0fKk3nYy9c4uY3b2JqkP5m0a1b2c3d',
  expiresAt: 1_767_229_200_000,
};

export const createPlaybackToken = defineEndpoint({
  id: 'createPlaybackToken',
  method: 'POST',
  path: '/api/playback/{id}/token',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Playback',
  summary: 'Create a playback token',
  description:
    'A token for one viewer of a stream, asset or recording of the team, with any playback policy. Use it if you do not want to sign tokens yourself.',
  params: playbackIdParams,
  body: z.strictObject({
    expiresIn: z
      .int()
      .min(10)
      .max(WEEK_SECONDS)
      .default(3_600)
      .meta({ description: 'Seconds within which playback must start, up to 7 days.' }),
  }),
  response: playbackToken,
  status: 201,
  errors: [],
  example: { params: { id: examplePlaybackId }, body: { expiresIn: 3_600 }, response: exampleToken },
});

export const enterPlaybackPassword = defineEndpoint({
  id: 'enterPlaybackPassword',
  method: 'POST',
  path: '/api/playback/{id}/password',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Playback',
  summary: 'Enter the password of a stream or asset',
  description:
    'Returns a playback token for the right password. No key required; CORS is open to any origin. The number of wrong passwords is limited per IP address.',
  params: playbackIdParams,
  body: z.strictObject({ password: z.string().max(1_000) }),
  response: playbackToken,
  rateLimit: 'playback-password',
  status: 200,
  errors: [
    [403, 'The password is wrong.'],
    [404, 'No stream, asset or recording with a password has this playback id.'],
    [429, 'Too many wrong passwords; see Retry-After.'],
  ],
  example: { params: { id: examplePlaybackId }, body: { password: 'open sesame' }, response: exampleToken },
});

export const revokePlaybackToken = defineEndpoint({
  id: 'revokePlaybackToken',
  method: 'POST',
  path: '/api/playback/{id}/token/revoke',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Playback',
  summary: 'Revoke a playback token',
  description:
    'The token no longer works for this stream, asset or recording of the team. A viewer who is watching with it is disconnected within seconds.',
  params: playbackIdParams,
  body: z.strictObject({
    token: z
      .string()
      .min(1)
      .max(8_192)
      .meta({ description: "The viewer's credential: a playback token, a signed token or an access key." }),
  }),
  status: 204,
  errors: [],
  example: { params: { id: examplePlaybackId }, body: { token: exampleToken.token } },
});

export const playbackTokenEndpoints = [
  createPlaybackToken,
  enterPlaybackPassword,
  revokePlaybackToken,
] as const;
