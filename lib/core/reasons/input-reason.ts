import { findReasons } from './find-reasons';
import { inputs } from './messages/inputs';

/** Determines the codes of input messages only, so that browser forms do not load the other messages. */
export const reasonOfInput = findReasons(inputs);
