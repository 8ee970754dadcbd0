'use client';

import { useQuery } from '@tanstack/react-query';
import { ApiReference, ReferenceSkeleton } from '@/components/docs/api-reference';
import { Button } from '@/components/ui/button';
import { LoadFailed } from '@/components/ui/empty-state';
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
            ? 'Calls from this page use your login. Enter an API key under Authorize to use that key instead.'
            : 'Every endpoint, with a form to call it. Enter an API key under Authorize, or log in to use your account.'
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
