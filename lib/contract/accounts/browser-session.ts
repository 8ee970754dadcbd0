import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, timestamp, uuid } from '@/lib/contract/primitives';

/** A sign-in session: a browser in which the person is signed in. */
const browserSession = z
  .object({
    id: uuid,
    current: z.boolean().meta({ description: 'Whether this is the session of the request.' }),
    userAgent: z.string().nullable().meta({ description: 'Last User-Agent header of the browser.' }),
    ip: z.string().nullable().meta({ description: 'IP address of the last request.' }),
    country: z.string().nullable().meta({
      description: 'ISO 3166-1 alpha-2 code of the IP address. Null: unknown, or the server has no GEOIP_DB.',
    }),
    signedInAt: timestamp,
    lastUsedAt: timestamp.meta({ description: 'Accurate to the hour while a page is open.' }),
  })
  .meta({ id: 'BrowserSession' });

export type BrowserSession = z.output<typeof browserSession>;

const commonFields = {
  auth: 'session',
  corsKeyAllowed: false,
  tag: 'Account',
  role: 'person',
  status: 200,
} as const;

const exampleId = '7c1d2e3f-8a43-4d6e-9f0b-1c2d3e4f5a6b';

export const listBrowserSessions = defineEndpoint({
  ...commonFields,
  id: 'listBrowserSessions',
  method: 'GET',
  path: '/api/dashboard/account/sessions',
  summary: 'List signed-in devices',
  description: 'Browsers in which you are signed in, most recently used first.',
  response: z.array(browserSession),
  errors: [],
  example: {
    response: [
      {
        id: exampleId,
        current: true,
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
        ip: '203.0.113.7',
        country: 'DE',
        signedInAt: 1_767_225_600_000,
        lastUsedAt: 1_767_229_200_000,
      },
    ],
  },
});

export const endBrowserSession = defineEndpoint({
  ...commonFields,
  id: 'endBrowserSession',
  method: 'DELETE',
  path: '/api/dashboard/account/sessions/{id}',
  summary: 'Log a device out',
  description: 'Rejects the next request of the device. Other devices and API keys are not affected.',
  params: idParams,
  status: 204,
  errors: [],
  example: { params: { id: exampleId } },
});

export const browserSessionEndpoints = [listBrowserSessions, endBrowserSession] as const;
