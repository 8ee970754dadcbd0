import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { timestamp } from '@/lib/contract/primitives';

/** Maximum length of `lines` in characters, which is also that of a report to an origin. */
const MAX_REPORT_LENGTH = 65_536;

/** Endpoint that creates the support link of watch pages. The Studio API does not have it. */
export const createPlaybackReport = defineEndpoint({
  id: 'createPlaybackReport',
  method: 'POST',
  path: '/api/playback/{id}/report',
  auth: 'public',
  corsKeyAllowed: false,
  tag: 'Playback',
  summary: 'Create a playback report',
  description:
    "Stores the quality of one view, for a viewer who asks for help, and returns a link that shows it for 24 hours without a login. `lines` has the reports that the player sent during the view, in the format Common Media Client Data version 2; the viewer's IP address is not stored. No key required; CORS is open to any origin. The number of reports is limited per IP address, and to 1,000 per team and day.",
  params: z.object({
    id: z.string().meta({ description: 'The playback id of a stream or an asset, or the id of a session.' }),
  }),
  body: z.strictObject({
    lines: z
      .string()
      .min(1)
      .max(MAX_REPORT_LENGTH)
      .meta({ description: 'Reports of one view (CTA-5004-B, event mode), one per line.' }),
  }),
  rateLimit: 'playback-report',
  response: z.object({ url: z.url(), expiresAt: timestamp }),
  status: 201,
  errors: [
    [404, 'This playback id does not exist, or its team does not accept reports.'],
    [429, 'The IP address or the team has created the maximum number of reports; see Retry-After.'],
  ],
  example: {
    params: { id: 'f3a1h2v9c8x7m6n5' },
    body: {
      lines: 'e=ps,sid="view-1",sn=1,sta=s,ts=1767225600000\ne=ps,sid="view-1",sn=2,sta=p,ts=1767225600800',
    },
    response: {
      url: 'http://localhost:3000/report/2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92',
      expiresAt: 1_767_312_000_000,
    },
  },
});
