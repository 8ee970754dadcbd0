import { z } from 'zod';

/** Settings of S3-compatible storage. */
export interface S3Settings {
  readonly bucket: string;
  /** Of another service than Amazon's; it may be a private address, because only the operator can name it. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket's name in the path of the address instead of its host. */
  readonly forcePathStyle: boolean;
}

/** The settings as the operator gives them; S3_BUCKET alone switches. */
export const s3Environment = {
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/, { error: 'the name of a bucket' })
    .optional(),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'an http:// or https:// URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_FORCE_PATH_STYLE: z.enum(['true', 'false'], { error: 'true or false' }).optional(),
};

type Given = z.output<z.ZodObject<typeof s3Environment>>;

/**
 * Undefined where files stay on the local disk. Services other than Amazon's are mostly reached by path.
 * @returns a text naming the setting that is missing, instead of settings
 */
export function s3SettingsOf(settings: Given): S3Settings | string | undefined {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId } = settings;
  const { S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (bucket === undefined) return undefined;
  if (accessKeyId === undefined) return 'S3_ACCESS_KEY_ID: expected because S3_BUCKET is set';
  if (secretAccessKey === undefined) return 'S3_SECRET_ACCESS_KEY: expected because S3_BUCKET is set';
  const forcePathStyle = (settings.S3_FORCE_PATH_STYLE ?? String(endpoint !== undefined)) === 'true';
  return { bucket, endpoint, region: settings.S3_REGION, accessKeyId, secretAccessKey, forcePathStyle };
}
