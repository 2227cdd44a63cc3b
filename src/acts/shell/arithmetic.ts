/** `$((…))`: numbers where the line tells them. Commands inside are followed all the same. */

import type { ArithmeticExpression } from 'unbash'
import { substitute } from './execute.ts'
import { expandParts } from './expand.ts'
import type { Run } from './followed-call.ts'
import { assign, resolveName, type ShellState } from './state.ts'

export function evaluate(run: Run, node: ArithmeticExpression, state: ShellState, depth = 0): number | null {
  if (depth > 40) return null
  const next = (each: ArithmeticExpression) => evaluate(run, each, state, depth + 1)
  switch (node.type) {
    case 'ArithmeticGroup':
      return next(node.expression)
    case 'ArithmeticTernary': {
      const [test, yes, no] = [next(node.test), next(node.consequent), next(node.alternate)]
      return test === null ? null : test ? yes : no
    }
    case 'ArithmeticUnary': {
      const value = next(node.operand)
      if (value === null) return null
      if (node.operator === '-') return -value
      if (node.operator === '!') return value ? 0 : 1
      if (node.operator === '~') return ~value
      if (node.operator === '++' || node.operator === '--') {
        const changed = node.operator === '++' ? value + 1 : value - 1
        if (node.operand.type === 'ArithmeticWord')
          assign(state, node.operand.value, { text: String(changed) })
        return node.prefix ? changed : value
      }
      return value
    }
    case 'ArithmeticBinary': {
      const right = next(node.right)
      if (node.operator === '=' && node.left.type === 'ArithmeticWord') {
        assign(state, node.left.value, right === null ? { text: '', unknown: true } : { text: String(right) })
        return right
      }
      const left = next(node.left)
      return left === null || right === null ? null : binary(node.operator, left, right)
    }
    case 'ArithmeticCommandExpansion': {
      if (!node.script) return null
      return number(substitute(run, node.script, state).text)
    }
    case 'ArithmeticWord': {
      if (node.parts) {
        const word = expandParts(run, node.parts, state)
        return word.unknown ? null : number(word.text)
      }
      if (/^[A-Za-z_]\w*$/.test(node.value)) {
        const value = state.variables.get(resolveName(state, node.value))
        return value === undefined ? 0 : value.unknown ? null : number(value.text)
      }
      return number(node.value)
    }
    default:
      return null
  }
}

function binary(operator: string, left: number, right: number): number | null {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? null : Math.trunc(left / right)
    case '%':
      return right === 0 ? null : left % right
    case '**':
      return left ** right
    case ',':
      return right
    case '<<':
      return left << right
    case '>>':
      return left >> right
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    case '==':
      return left === right ? 1 : 0
    case '!=':
      return left !== right ? 1 : 0
    case '<':
      return left < right ? 1 : 0
    case '>':
      return left > right ? 1 : 0
    case '<=':
      return left <= right ? 1 : 0
    case '>=':
      return left >= right ? 1 : 0
    case '&&':
      return left && right ? 1 : 0
    case '||':
      return left || right ? 1 : 0
    default:
      return null
  }
}

function number(text: string | undefined): number | null {
  if (text === undefined) return null
  const trimmed = text.trim()
  if (trimmed === '') return 0
  const based = /^(\d+)#(\w+)$/.exec(trimmed)
  const value = based
    ? Number.parseInt(based[2]!, Number(based[1]))
    : /^0[0-7]+$/.test(trimmed)
      ? Number.parseInt(trimmed, 8)
      : Number(trimmed)
  return Number.isFinite(value) ? value : null
}
