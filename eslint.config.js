import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["nestviz/ui/*/js/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", { max: 40, skipComments: true }],
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["tests/js/*.js"],
    languageOptions: { globals: globals.node },
    rules: { "max-lines-per-function": "off" },
  },
];
