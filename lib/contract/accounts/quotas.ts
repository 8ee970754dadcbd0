import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';
import { quotaNames, quotaStates } from '@/lib/core/quotas/quota';

const amount = z.int().min(0);
const descriptions = {
  liveStreams: 'Concurrent live streams.',
  storageBytes: 'Stored bytes, including deleted assets until they are removed.',
  uploadBytes: 'Bytes of one uploaded or imported file.',
  renditions: 'Renditions of one stream.',
  viewerBytes: 'Bytes delivered to viewers in a calendar month (UTC).',
} as const;

/** Creates an object with one schema per quota, each with the description of its quota. */
const schemaPerQuota = <T extends z.ZodType>(createSchema: (description: string) => T) =>
  ({
    liveStreams: createSchema(descriptions.liveStreams),
    storageBytes: createSchema(descriptions.storageBytes),
    uploadBytes: createSchema(descriptions.uploadBytes),
    renditions: createSchema(descriptions.renditions),
    viewerBytes: createSchema(descriptions.viewerBytes),
  }) as const;

/** Schema of a quota that an operator sets for one team; null for the default of the service. */
const quotaOfTeam = amount.or(z.literal('unlimited')).nullable();

const quotaUse = z
  .object({
    name: z.enum(quotaNames),
    limit: amount,
    used: amount,
    state: z.enum(quotaStates).meta({
      description:
        '`free`: less than 80 % are used. `warned`: at least 80 %. `reached`: the limit is reached.',
    }),
  })
  .meta({ id: 'QuotaUse' });

const teamQuotas = z
  .object({
    own: z
      .object(schemaPerQuota((description) => quotaOfTeam.meta({ description })))
      .meta({ description: 'Limit of this team; null: the default of the service.' }),
    effective: z
      .object(schemaPerQuota((description) => amount.nullable().meta({ description })))
      .meta({ description: 'Effective limit; null: no limit.' }),
    uses: z.array(quotaUse).meta({
      description: 'Current use of `liveStreams`, `storageBytes` and `viewerBytes`, if they have a limit.',
    }),
  })
  .meta({ id: 'TeamQuotas' });

/** The quotas of a team as operators get them. */
export type TeamQuotas = z.output<typeof teamQuotas>;

const commonFields = { auth: 'session', operatorOnly: true, corsKeyAllowed: false, tag: 'Service' } as const;
const exampleParams = { id: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52' };
const noQuotas = {
  liveStreams: null,
  storageBytes: null,
  uploadBytes: null,
  renditions: null,
  viewerBytes: null,
};
const exampleQuotas: TeamQuotas = {
  own: { ...noQuotas, liveStreams: 5 },
  effective: { ...noQuotas, liveStreams: 5 },
  uses: [{ name: 'liveStreams', limit: 5, used: 4, state: 'warned' }],
};

export const getTeamQuotas = defineEndpoint({
  ...commonFields,
  id: 'getTeamQuotas',
  method: 'GET',
  path: '/api/admin/teams/{id}/quotas',
  summary: 'Retrieve the quotas of a team',
  description: 'Takes the id of a team. The team created with an account has the id of the account.',
  params: idParams,
  response: teamQuotas,
  status: 200,
  errors: [],
  example: { params: exampleParams, response: exampleQuotas },
});

export const updateTeamQuotas = defineEndpoint({
  ...commonFields,
  id: 'updateTeamQuotas',
  method: 'PATCH',
  path: '/api/admin/teams/{id}/quotas',
  summary: 'Change the quotas of a team',
  description:
    'Changes the quotas in the body. `null` sets the default of the service (`QUOTA_…`), and `unlimited` removes the limit. Streams that are live and files that are stored stay, even if they exceed the new limit.',
  params: idParams,
  body: z.strictObject(schemaPerQuota((description) => quotaOfTeam.exactOptional().meta({ description }))),
  response: teamQuotas,
  status: 200,
  errors: [],
  example: { params: exampleParams, body: { liveStreams: 5 }, response: exampleQuotas },
});

const quotas = z
  .object({ limits: teamQuotas.shape.effective, uses: teamQuotas.shape.uses })
  .meta({ id: 'Quotas' });

/** Endpoint with the quotas that the operator set for the team. The Studio API does not have it. */
export const getQuotas = defineEndpoint({
  id: 'getQuotas',
  method: 'GET',
  path: '/api/user/quotas',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Account',
  summary: 'Retrieve quotas',
  description:
    'Limits set by the operator of the service, and their current use. Requests beyond a limit get 402 (storage), 403 (live streams, renditions) or 413 (file size) with the use and the limit; viewers get 402 once the bytes of the month are used up.',
  response: quotas,
  status: 200,
  errors: [],
  example: { response: { limits: exampleQuotas.effective, uses: exampleQuotas.uses } },
});

/** The quotas of a team as its members get them. */
export type QuotasForMembers = z.output<typeof quotas>;

export const quotasEndpoints = [getQuotas, getTeamQuotas, updateTeamQuotas] as const;
