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

const mapQuotaNames = <T extends z.ZodType>(type: (description: string) => T) =>
  ({
    liveStreams: type(descriptions.liveStreams),
    storageBytes: type(descriptions.storageBytes),
    uploadBytes: type(descriptions.uploadBytes),
    renditions: type(descriptions.renditions),
    viewerBytes: type(descriptions.viewerBytes),
  }) as const;

const ownQuota = amount.or(z.literal('unlimited')).nullable();

const quotaUse = z
  .object({
    name: z.enum(quotaNames),
    limit: amount,
    used: amount,
    state: z.enum(quotaStates).meta({ description: '`warned`: from 80 %. `reached`: nothing more fits.' }),
  })
  .meta({ id: 'QuotaUse' });

const teamQuotas = z
  .object({
    own: z
      .object(mapQuotaNames((description) => ownQuota.meta({ description })))
      .meta({ description: 'Limit of this team; null: the default of the service.' }),
    effective: z
      .object(mapQuotaNames((description) => amount.nullable().meta({ description })))
      .meta({ description: 'Effective limit; null: no limit.' }),
    uses: z.array(quotaUse).meta({ description: 'Limits that are used up gradually.' }),
  })
  .meta({ id: 'TeamQuotas' });

export type TeamQuotas = z.output<typeof teamQuotas>;

const common = { auth: 'session', operatorOnly: true, corsKeyAllowed: false, tag: 'Service' } as const;
const params = { id: '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52' };
const noQuotas = {
  liveStreams: null,
  storageBytes: null,
  uploadBytes: null,
  renditions: null,
  viewerBytes: null,
};
const response: TeamQuotas = {
  own: { ...noQuotas, liveStreams: 5 },
  effective: { ...noQuotas, liveStreams: 5 },
  uses: [{ name: 'liveStreams', limit: 5, used: 4, state: 'warned' }],
};

export const getTeamQuotas = defineEndpoint({
  ...common,
  id: 'getTeamQuotas',
  method: 'GET',
  path: '/api/admin/teams/{id}/quotas',
  summary: 'Retrieve the quotas of a team',
  description: 'Takes the id of a team. The team created with an account has the id of the account.',
  params: idParams,
  response: teamQuotas,
  status: 200,
  errors: [],
  example: { params, response },
});

export const updateTeamQuotas = defineEndpoint({
  ...common,
  id: 'updateTeamQuotas',
  method: 'PATCH',
  path: '/api/admin/teams/{id}/quotas',
  summary: 'Change the quotas of a team',
  description:
    'Omitted limits are not changed. null is the default of the service (`QUOTA_…`), `unlimited` no limit. Live streams and stored files are not affected.',
  params: idParams,
  body: z.strictObject(mapQuotaNames((description) => ownQuota.exactOptional().meta({ description }))),
  response: teamQuotas,
  status: 200,
  errors: [],
  example: { params, body: { liveStreams: 5 }, response },
});

const ownQuotas = z
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
    'Limits set by the operator of the service, and their current use. Requests beyond a limit get 402 (storage), 403 (live streams, renditions) or 413 (file size) with the use and the limit; viewers get 402 once the bytes of the month are used.',
  response: ownQuotas,
  status: 200,
  errors: [],
  example: { response: { limits: response.effective, uses: response.uses } },
});

export type QuotasOfTeam = z.output<typeof ownQuotas>;

export const quotasEndpoints = [getQuotas, getTeamQuotas, updateTeamQuotas] as const;
