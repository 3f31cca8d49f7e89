/** Whom the draws come from. */

import { api, call } from '../../lib/api';

/** Its name among the providers. */
export const OPERATOR = 'lottery_operator';

/** Asks it for what is missing; what comes of it is told by its job. */
export const fetchDraws = () => call(api.POST('/api/lotto/sync'));
