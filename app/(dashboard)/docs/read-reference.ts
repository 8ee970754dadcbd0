import type { ServiceUrls } from '@/components/docs/guides/guide-steps';
import type { OpenApiDocument } from '@/components/docs/model/open-api';
import { createReference, type Reference } from '@/components/docs/model/reference';
import { readApiDescription } from '@/lib/http/service-status';

interface ApiReference extends Reference {
  readonly requestsPerMinute: number;
  readonly urls: ServiceUrls;
}

let reference: ApiReference | undefined;

/** Reference for the docs pages, read from the OpenAPI document once per process. */
export async function readReference(): Promise<ApiReference> {
  if (reference) return reference;
  const { document, requestsPerMinute, urls } = await readApiDescription();
  reference = { ...createReference(document as unknown as OpenApiDocument), requestsPerMinute, urls };
  return reference;
}
