/** Names that exist in this house. A list that is absent is not checked; one that is given makes an unknown name an error. */
export interface Vocabulary {
  readonly capabilities?: readonly string[];
  readonly integrations?: readonly string[];
  readonly profiles?: readonly string[];
  readonly tools?: readonly string[];
}
