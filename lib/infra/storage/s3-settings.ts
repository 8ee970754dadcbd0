import { z } from 'zod';
import { areSet, withoutPrefix } from '../settings/names';
import { httpUrl, trueFalse, type Values } from '../settings/variable-types';

/** S3-compatible storage. S3_ENDPOINT may be private, because only the operator can set it. */
export const s3Variables = {
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/, { error: 'the name of a bucket' })
    .optional()
    .meta({
      defaultText: 'files stay in `DATA_DIR`',
      description: 'assets and recordings are stored in this bucket instead ([files on S3](#files-on-s3))',
    }),
  S3_ENDPOINT: httpUrl.optional().meta({
    defaultText: "Amazon's, by region",
    description: 'URL of another S3-compatible service; may be a private address',
  }),
  S3_REGION: z.string().min(1).default('us-east-1').describe('region of the bucket'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('required with `S3_BUCKET`'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('required with `S3_BUCKET`'),
  S3_FORCE_PATH_STYLE: trueFalse.optional().meta({
    defaultText: '`true` with `S3_ENDPOINT`',
    description: "`true`: the bucket's name is in the path of a URL; `false`: in its host",
  }),
};

type S3Variables = Values<typeof s3Variables>;
export type S3Settings = NonNullable<ReturnType<typeof s3Settings>>;

/** Most services other than Amazon's need path-style URLs. */
export const s3Defaults = ({
  S3_ENDPOINT,
  S3_FORCE_PATH_STYLE = S3_ENDPOINT !== undefined,
}: S3Variables) => ({
  S3_FORCE_PATH_STYLE,
});

/** Undefined if files are stored on the local disk. */
export const s3Settings = (values: S3Variables) =>
  areSet(values, ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_FORCE_PATH_STYLE'])
    ? withoutPrefix(values, 'S3_')
    : undefined;
