import { isRefusal } from '@skillgate/contracts/refusal';
import type { ModelAnswer } from './ask-model.js';
import { askUntilAnswered } from './ask-until-answered.js';
import { compactChat } from './compact-chat.js';
import { fetchImages } from './keep-result.js';
import type { TurnContext } from './turn-context.js';
import type { TurnParts } from './turn-parts.js';

/** The model's next answer, to a chat that fits into its window: where we counted too little, the provider's word is taken once. */
export async function askWithinWindow(context: TurnContext, parts: TurnParts): Promise<ModelAnswer> {
  await compactChat(context, parts);
  await fetchImages(context);
  try {
    return await askUntilAnswered(context, parts);
  } catch (error) {
    if (!isRefusal(error, 'model-context-exceeded') || context.spoken !== '' || !(await compactChat(context, parts, true))) throw error;
    return askUntilAnswered(context, parts);
  }
}
