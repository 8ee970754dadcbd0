import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';
import { uuid } from './primitives';

const bytes = z.int().min(0);
const minutes = z.number().min(0);
const deliveredBytes = bytes.meta({
  description:
    'Sent to viewers: live streams, recordings and assets, as this service counted (a CDN before it counts for itself).',
});
const deliveredMinutes = minutes.meta({
  description:
    'Of media in what was sent. A part of a file whose segments have no length of their own counts by its share of the bytes.',
});

/** What an account keeps here, and what came in and went out day by day. */
export const usage = z
  .object({
    storage: z
      .object({
        bytes: bytes.meta({ description: 'All of the following together.' }),
        assets: bytes.meta({
          description: 'Uploaded, imported and transcoded files, with what was made of them.',
        }),
        recordings: bytes.meta({ description: 'Assets of recorded sessions, and sessions being recorded.' }),
        deleted: bytes.meta({ description: 'Deleted, but to be restored still; removed after seven days.' }),
      })
      .meta({ description: 'Bytes, now.' }),
    days: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: 'A day in UTC.' }),
          ingestedMinutes: minutes.meta({ description: 'Of live streams.' }),
          transcodedMinutes: minutes.meta({ description: 'Of live renditions and transcoded assets.' }),
          importedMinutes: minutes.meta({ description: 'Of uploads and imports that became ready.' }),
          deliveredBytes,
          deliveredMinutes,
        }),
      )
      .meta({ description: 'Every day of the time that was asked for, the oldest first.' }),
    streams: z
      .array(
        z.object({
          id: uuid,
          name: z.string(),
          deleted: z.boolean(),
          ingestedMinutes: minutes,
          transcodedMinutes: minutes.meta({ description: 'Of its live renditions.' }),
          deliveredBytes,
          deliveredMinutes,
        }),
      )
      .meta({
        description:
          'The hundred streams that took in most in this time, the busiest first; with them those that were only watched.',
      }),
  })
  .meta({ id: 'Usage' });

export type Usage = z.output<typeof usage>;

const day = z.iso
  .date({ error: 'must be a day such as 2026-01-31' })
  .refine((date) => date >= '1970-01-01', { error: 'must not be before 1970' })
  .exactOptional();

/** Additive: what hosted services show on the page of the bill. */
export const getUsage = defineEndpoint({
  id: 'getUsage',
  method: 'GET',
  path: '/api/user/usage',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Account',
  summary: 'Bytes stored, minutes and bytes delivered a day',
  description:
    'The media of a session that lasted past midnight is divided between its days. Minutes of a rendition count on their own: one minute in three renditions makes three transcoded minutes. What was delivered is kept for 400 days.',
  query: z.object({
    from: day.meta({
      description: 'First day, UTC; 29 days before `to` when left out.',
      example: '2026-01-01',
    }),
    to: day.meta({
      description: 'Last day, UTC; today when left out. At most 366 days.',
      example: '2026-01-31',
    }),
  }),
  response: usage,
  status: 200,
  errors: [],
  example: {
    response: {
      storage: { bytes: 7_340_032, assets: 5_242_880, recordings: 2_097_152, deleted: 0 },
      days: [
        {
          date: '2026-01-31',
          ingestedMinutes: 61.5,
          transcodedMinutes: 184.5,
          importedMinutes: 12,
          deliveredBytes: 921_600_000,
          deliveredMinutes: 615,
        },
      ],
      streams: [
        {
          id: '9c1d2e3f-8a43-4d6e-9f0b-1c2d3e4f5a6b',
          name: 'Town hall',
          deleted: false,
          ingestedMinutes: 61.5,
          transcodedMinutes: 184.5,
          deliveredBytes: 921_600_000,
          deliveredMinutes: 615,
        },
      ],
    },
  },
});
