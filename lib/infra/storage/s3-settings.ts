import { z } from 'zod';

/** Settings of S3-compatible storage. */
export interface S3Settings {
  readonly bucket: string;
  /**
   * URL of an S3-compatible service; undefined for Amazon S3. It may be private, because only the operator can set it.
   */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket's name is in the path of the URL instead of its host. */
  readonly forcePathStyle: boolean;
}

/** Environment variables for S3. S3_BUCKET enables it. */
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

type S3Environment = z.output<z.ZodObject<typeof s3Environment>>;

/**
 * S3 settings; undefined if files are stored on the local disk. Most services other than Amazon's need path-style URLs.
 * @returns a text with the missing setting if they are incomplete
 */
export function s3SettingsOf(settings: S3Environment): S3Settings | string | undefined {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId } = settings;
  const { S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (bucket === undefined) return undefined;
  if (accessKeyId === undefined) return 'S3_ACCESS_KEY_ID: expected because S3_BUCKET is set';
  if (secretAccessKey === undefined) return 'S3_SECRET_ACCESS_KEY: expected because S3_BUCKET is set';
  const forcePathStyle = (settings.S3_FORCE_PATH_STYLE ?? String(endpoint !== undefined)) === 'true';
  return { bucket, endpoint, region: settings.S3_REGION, accessKeyId, secretAccessKey, forcePathStyle };
}
