/** A constant of java.time that only occurs as an argument or receiver: a unit, a zone, a formatter's name. */
export class NamedTemporal {
  declare readonly javaName: string;
  declare readonly name: string;

  constructor(javaName: string, name: string) {
    this.javaName = javaName;
    this.name = name;
  }

  get printed(): string {
    return `#object[${this.javaName} "${this.name}"]`;
  }
}
