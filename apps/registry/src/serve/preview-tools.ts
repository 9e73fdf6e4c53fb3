import { Controller } from '@nestjs/common';
import { previewTools } from '@skillgate/contracts/calls/registry';
import type { CallAnswer, CallParsedInput } from '@skillgate/contracts/define-call';
import { Serves } from '@skillgate/wire/serve';
import { PreviewTools } from '../preview-tools.js';

@Controller()
export class ServePreviewTools {
  constructor(private readonly tools: PreviewTools) {}

  @Serves(previewTools)
  previewTools(asked: CallParsedInput<typeof previewTools>): Promise<CallAnswer<typeof previewTools>> {
    return this.tools.preview(asked);
  }
}
