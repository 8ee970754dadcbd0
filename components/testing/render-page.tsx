import { type RenderResult, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import {
  PathnameContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { MessagesProvider } from '@/components/i18n/messages';
import { DataProvider } from '@/app/data-provider';
import { Toaster } from '@/components/ui/overlay/toaster';
import { ClientErrorTranslation } from '@/components/i18n/reasons';
import { catalogueOf } from '@/messages';
import type { Language } from '@/messages/languages';

interface FakeRouterProps {
  /** URLs that the page opened with the router. */
  visitedPaths: string[];
  children: ReactNode;
}

/** Next's router for a single page: its URL follows the browser's history; URLs that it opens are only recorded. */
function FakeRouter({ visitedPaths, children }: FakeRouterProps) {
  const [url, setUrl] = useState(window.location.href);
  useEffect(() => {
    const { history } = window;
    const pushState = history.pushState.bind(history);
    const replaceState = history.replaceState.bind(history);
    const syncUrl = () => setUrl(window.location.href);
    history.pushState = (...change) => {
      pushState(...change);
      syncUrl();
    };
    history.replaceState = (...change) => {
      replaceState(...change);
      syncUrl();
    };
    window.addEventListener('popstate', syncUrl);
    return () => {
      Object.assign(history, { pushState, replaceState });
      window.removeEventListener('popstate', syncUrl);
    };
  }, []);
  const router = useMemo(
    () => ({
      push: (path: string) => void visitedPaths.push(path),
      replace: (path: string) => void visitedPaths.push(path),
      back: () => window.history.back(),
      forward: () => window.history.forward(),
      refresh: () => undefined,
      prefetch: () => undefined,
    }),
    [visitedPaths],
  );
  const { pathname, searchParams } = new URL(url);
  const search = searchParams.toString();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  return (
    <AppRouterContext value={router as never}>
      <PathnameContext value={pathname}>
        <SearchParamsContext value={params}>{children}</SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>
  );
}

interface RenderedPage extends RenderResult {
  readonly user: UserEvent;
  /** URLs that the page opened with the router. */
  readonly visitedPaths: readonly string[];
}

interface PageOptions {
  /** Path and query of the page. */
  readonly at?: string;
  /** Moves a fake clock; required with vi.useFakeTimers. */
  readonly advanceTimers?: (ms: number) => void;
  /** Whether the page renders its own DataProvider (the query client) and Toaster. */
  readonly hasOwnProvider?: boolean;
  readonly language?: Language;
}

/** Renders with the app's own query client, router contexts and messages. */
export function renderPage(
  page: ReactNode,
  { at = '/', advanceTimers, hasOwnProvider = false, language = 'en' }: PageOptions = {},
): RenderedPage {
  window.history.replaceState(null, '', at);
  const visitedPaths: string[] = [];
  const user = userEvent.setup(advanceTimers ? { advanceTimers } : {});
  const view = render(
    <MessagesProvider language={language} messages={catalogueOf(language)}>
      <ClientErrorTranslation />
      <FakeRouter visitedPaths={visitedPaths}>
        {hasOwnProvider ? (
          page
        ) : (
          <DataProvider>
            {page}
            <Toaster />
          </DataProvider>
        )}
      </FakeRouter>
    </MessagesProvider>,
  );
  return { ...view, user, visitedPaths };
}
