import { findReasons } from './find-reasons';
import { signIn } from './messages/sign-in';

/** Determines the codes of sign-in messages only, so that the log-in page does not load the other messages. */
export const reasonOfSignIn = findReasons(signIn);
