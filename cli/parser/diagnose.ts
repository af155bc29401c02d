import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import {
  argumentRuleMessage,
  CONFLICTING_ARGUMENTS,
  exclusiveOptionsMessage,
  insideDestinationMessage,
  INVALID_ARGUMENTS,
  oneOptionRequiredMessage,
  optionMessage,
  positionalMessage,
  sameDestinationMessage,
} from '../../contract/diagnostics/messages/arguments.ts';
import type { ArgumentFault } from './fault.ts';

/** The diagnostic of an argument fault (cli.md §2): phase `arguments`, exit 2, declared names only. */
export function argumentDiagnostic(fault: ArgumentFault): Diagnostic {
  switch (fault.kind) {
    case 'unknown-command':
      return diagnostic('invalid_command');
    case 'not-utf8':
      return invalid(argumentRuleMessage('not_utf8'));
    case 'unknown-option':
      return invalid(argumentRuleMessage('unknown_option'));
    case 'too-many-arguments':
      return invalid(argumentRuleMessage('too_many_arguments'));
    case 'topic-unknown':
      return invalid(argumentRuleMessage('topic_unknown'));
    case 'option':
      return invalid(optionMessage(fault.option, fault.rule));
    case 'positional':
      return invalid(positionalMessage(placeholderName(fault.placeholder), fault.rule));
    case 'one-required':
      return invalid(oneOptionRequiredMessage(fault.options));
    case 'unfit':
      return invalid(INVALID_ARGUMENTS);
    case 'exclusive':
      return conflicting(
        fault.options.every((name) => name.startsWith('-'))
          ? exclusiveOptionsMessage(fault.options)
          : CONFLICTING_ARGUMENTS,
      );
    case 'same-destination':
      return conflicting(sameDestinationMessage(fault.option, fault.other));
    case 'inside-destination':
      return conflicting(insideDestinationMessage(fault.option, fault.other));
    case 'closed-name':
      return diagnostic(fault.code);
    case 'envelope-exists':
      return diagnostic('envelope_destination_exists');
  }
}

/** The message grammar names a placeholder by its capitals alone, without the file extension. */
function placeholderName(placeholder: string): string {
  return placeholder.replaceAll('.json', '');
}

function invalid(message: string): Diagnostic {
  return diagnostic('invalid_arguments', { message });
}

function conflicting(message: string): Diagnostic {
  return diagnostic('conflicting_arguments', { message });
}
