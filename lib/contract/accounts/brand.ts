import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { nameText, remoteUrl } from '@/lib/contract/primitives';
import { accentFormat } from '@/lib/core/brand/accent';

/** Maximum size of a logo in bytes. */
export const MAX_LOGO_BYTES = 512 * 1024;
/** Media types of logos that can be uploaded. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

const name = nameText(60)
  .nullable()
  .meta({ description: 'Name of the channel, shown on watch pages. Null: none.' });
const accent = z
  .string()
  .toLowerCase()
  .regex(accentFormat, { error: 'must be a color such as #0a6e78' })
  .nullable()
  .meta({
    description:
      'Accent color, #rrggbb. If it would be hard to read, players and pages use the nearest readable shade. Null: the default.',
  });
const link = remoteUrl
  .nullable()
  .meta({ description: 'Where the name and the logo link to. Null: no link.' });
const casting = z.boolean().meta({
  description:
    "Whether players offer Chromecast. If true, viewers' browsers load a script from www.gstatic.com.",
});
const viewerReports = z.boolean().meta({
  description:
    'Whether players report playback quality: startup time, stalls and failures, summed up for the team. No data about a single viewer is stored.',
});

const brand = z
  .object({
    name,
    accent,
    link,
    logoUrl: z.url().nullable().meta({ description: 'A PNG file. Null: no logo.' }),
    casting,
    viewerReports,
  })
  .meta({ id: 'Brand' });

export type Brand = z.output<typeof brand>;

const commonFields = { auth: 'key-or-session', corsKeyAllowed: false, tag: 'Account', errors: [] } as const;
/** Fields of the endpoints that change the brand of a team. */
const settingsEndpoint = { ...commonFields, role: 'admin' } as const;
const exampleBrand = {
  name: 'River TV',
  accent: '#0a6e78',
  link: 'https://river.example.com/',
  logoUrl: 'http://localhost:8080/brand/f3a1h2v9c8x7m6n5.png',
  casting: false,
  viewerReports: true,
};

export const getBrand = defineEndpoint({
  ...commonFields,
  id: 'getBrand',
  method: 'GET',
  path: '/api/user/brand',
  summary: 'Retrieve the brand',
  description: "Appearance of the team's watch pages and embedded players.",
  response: brand,
  status: 200,
  example: { response: exampleBrand },
});

export const updateBrand = defineEndpoint({
  ...settingsEndpoint,
  id: 'updateBrand',
  method: 'PATCH',
  path: '/api/user/brand',
  summary: 'Update the brand',
  description: 'Changes the fields in the body. Pages show the change the next time they are opened.',
  body: z.strictObject({
    name: name.exactOptional(),
    accent: accent.exactOptional(),
    link: link.exactOptional(),
    casting: casting.exactOptional(),
    viewerReports: viewerReports.exactOptional(),
  }),
  readOnlyFields: ['logoUrl'],
  response: brand,
  status: 200,
  example: { body: { name: 'River TV', accent: '#0a6e78', casting: false }, response: exampleBrand },
});

export const requestLogoUpload = defineEndpoint({
  ...settingsEndpoint,
  id: 'requestLogoUpload',
  method: 'POST',
  path: '/api/user/brand/logo',
  summary: 'Request a logo upload',
  description:
    'Returns a URL that works for ten minutes. Send it a PNG, JPEG or WebP file of at most 512 kB with PUT. The logo is stored as a PNG of at most 512 × 512 pixels and replaces the previous one.',
  response: z.object({ url: z.url() }),
  status: 201,
  example: { response: { url: 'http://localhost:8080/api/asset/upload/logo?token=…' } },
});

export const deleteLogo = defineEndpoint({
  ...settingsEndpoint,
  id: 'deleteLogo',
  method: 'DELETE',
  path: '/api/user/brand/logo',
  summary: 'Delete the logo',
  description: 'Pages no longer show the logo. Its file is deleted within a day.',
  status: 204,
  example: {},
});

export const brandEndpoints = [getBrand, updateBrand, requestLogoUpload, deleteLogo] as const;
