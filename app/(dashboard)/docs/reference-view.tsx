'use client';

import { useQuery } from '@tanstack/react-query';
import { ApiReference } from '@/components/docs/api-reference';
import { ReferenceSkeleton } from '@/components/docs/reference-skeleton';
import { Button } from '@/components/ui/button';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHeader } from '@/components/ui/page-header';
import { call } from '@/lib/client/call';
import { getOpenApi } from '@/lib/contract/service';

export function ReferenceView({ signedIn }: { signedIn: boolean }) {
  const document = useQuery({
    queryKey: ['openapi'],
    queryFn: ({ signal }) => call(getOpenApi, {}, { signal }),
    staleTime: Infinity,
  });
  return (
    <>
      <PageHeader
        title="API reference"
        description={
          signedIn
            ? 'Calls from this page run as you. With a key under Authorize they run with that key instead: backend keys can read from a page, browser keys do what they may.'
            : 'Every endpoint, with a form to call it. Give an API key under Authorize, or log in to call as yourself.'
        }
        action={
          <Button asChild>
            {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a file, not a page */}
            <a href="/api/openapi.json">OpenAPI file</a>
          </Button>
        }
      />
      {document.isError ? (
        <LoadFailed what="The API reference" error={document.error} onRetry={() => void document.refetch()} />
      ) : document.data ? (
        <ApiReference document={document.data} />
      ) : (
        <ReferenceSkeleton />
      )}
    </>
  );
}
