import { signInHandler } from '@/lib/http/sessions/sign-in';

/** Browser sign-in and sign-out: next-auth's own paths, not part of the API. */
export { signInHandler as GET, signInHandler as POST };
