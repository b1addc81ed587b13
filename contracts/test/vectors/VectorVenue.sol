// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../src/Accounts.sol";
import {Book} from "../../src/Book.sol";
import {Lens} from "../../src/Lens.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {Positions} from "../../src/Positions.sol";
import {Lots, Tick} from "../../src/ValueTypes.sol";
import {DevToken} from "../../src/dev/DevToken.sol";
import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IOracle, PriceStatus} from "../../src/interfaces/IOracle.sol";
import {IPerps, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {PerpsDeploy} from "../perps/PerpsDeploy.sol";
import {VectorFile} from "./VectorFile.sol";

/// An oracle with prices that the test sets, at the current time.
contract VectorOracle is IOracle {
    mapping(bytes32 asset => uint256) private _prices;
    mapping(bytes32 asset => uint256[2]) private _firsts;

    function set(bytes32 asset, uint256 price) external {
        if (_prices[asset] == 0) _firsts[asset] = [price, block.timestamp];
        _prices[asset] = price;
    }

    function first(bytes32 asset) external view returns (uint256, uint256) {
        return (_firsts[asset][0], _firsts[asset][1]);
    }

    function read(bytes32 asset) external view returns (uint256, uint256, uint256, PriceStatus) {
        uint256 price = _prices[asset];
        return (price, block.timestamp, price, PriceStatus.ACCEPTED);
    }

    function movedTime() external pure returns (uint256) {
        return 0;
    }

    function changesOf(bytes32) external pure returns (uint256) {
        return 0;
    }
}

/// Sets up the perpetual engine as it ships with three markets, the last of them in very small
/// units, one trader, and a whale on the other side of every trade. Every case begins with the same
/// state.
abstract contract VectorVenue is VectorFile, PerpsDeploy {
    uint256 internal constant START = 1_750_003_200; // a full hour
    uint32 internal constant MARKETS = 3;
    uint32 internal constant FINE = 3;
    uint128 internal constant IMPACT_VALUE = 1_000e18;
    uint16 internal constant LEVERAGE = 20;
    uint256 private constant QUOTED_SECONDS = 5;

    address internal constant OWNER = address(0xA11);
    address internal constant TRADER = address(0xA1);
    address internal constant WHALE = address(0xB0);
    address internal constant INSURANCE = address(0x1);

    Accounts internal accounts;
    VectorOracle internal oracle;
    DevToken internal usdc;
    IPerps internal perps;
    Lens internal lens;
    uint40 internal trader;
    uint40 internal whale;

    function setUp() public virtual {
        vm.warp(START);
        accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(INSURANCE, address(0x2), "openvenue")
            )
        );
        oracle = new VectorOracle();
        usdc = new DevToken("USD Coin", "USDC", 6);
        perps = _deployPerps(accounts, oracle, address(usdc), OWNER);
        lens = Lens(vm.deployCode("out/shipped/Lens.sol/Lens.json", ""));
        _price(1, 2000e18);
        _price(2, 60_000e18);
        _price(FINE, 1e7);
        vm.startPrank(OWNER);
        perps.list("ETH-PERP", "ETH", 1e16, 1e15, IMPACT_VALUE, _parameters(LEVERAGE));
        perps.list("BTC-PERP", "BTC", 1e17, 1e14, IMPACT_VALUE, _parameters(LEVERAGE));
        perps.list("FINE-PERP", "FINE", 1e1, 1e18, IMPACT_VALUE, _parameters(LEVERAGE));
        vm.stopPrank();
        _price(FINE, 1e8);
        whale = _deposit(WHALE, 1e15);
    }

    function _parameters(uint16 maxLeverage) internal pure returns (PerpParameters memory) {
        return PerpParameters({
            minOrderValue: 5e18,
            maxOrderValue: 1e26,
            maxNotionalValue: 1e27,
            maxOpenInterest: 1e18,
            maxLeverage: maxLeverage,
            makerFee: 100,
            takerFee: 350
        });
    }

    function _price(uint32 market, uint256 price) internal {
        oracle.set(
            market == 1 ? bytes32("ETH") : market == 2 ? bytes32("BTC") : bytes32("FINE"), price
        );
    }

    function _priceOf(uint32 market) internal view returns (uint256) {
        return perps.quoteOf(market).index;
    }

    /// Moves the index by `permille` plus an odd amount, so that the price is not round.
    function _move(Case memory one, uint32 market, int256 permille) internal {
        int256 price = int256(_priceOf(market));
        _price(
            market, uint256(price + price * permille / 1000 + _signed(one, uint256(price) / 1e6))
        );
    }

    function _pass(uint256 seconds_) internal {
        vm.warp(block.timestamp + seconds_);
    }

    function _deposit(address wallet, uint256 amount) internal returns (uint40) {
        usdc.mint(wallet, amount);
        vm.prank(wallet);
        usdc.approve(address(perps), amount);
        vm.prank(wallet);
        perps.deposit(address(usdc), amount);
        return accounts.accountOf(wallet);
    }

    /// The tick nearest below `price * (1000 + permille) / 1000`.
    function _tick(uint32 market, int256 permille) internal view returns (uint24) {
        uint256 perLot = perps.quoteOf(market).markPerLot;
        return uint24(uint256(int256(perLot) * (1000 + permille) / 1000) / _unit(market));
    }

    function _unit(uint32 market) internal view returns (uint256) {
        return perps.unitsOf(market).quotePerLotTick;
    }

    function _place(address wallet, uint32 market, bool buy, uint24 tick, uint64 lots)
        internal
        returns (uint40)
    {
        OrderRequest memory request;
        (request.market, request.buy, request.tick, request.lots) =
        (market, buy, Tick.wrap(tick), Lots.wrap(lots));
        request.timeInForce = TimeInForce.GTC;
        vm.prank(wallet);
        return perps.place(request);
    }

    /// The trader buys from the whale, or sells to it.
    function _take(uint32 market, bool buy, int256 permille, uint64 lots) internal {
        uint24 tick = _tick(market, permille);
        _place(WHALE, market, !buy, tick, lots);
        _place(TRADER, market, buy, tick, lots);
    }

    /// The whale quotes both sides, `middle` permille off the mark, for some seconds, and the
    /// market is poked. The quotes are taken off again.
    function _poke(uint32 market, int256 middle) internal {
        uint64 lots = uint64(2 * IMPACT_VALUE / perps.quoteOf(market).markPerLot);
        uint40 bid = _place(WHALE, market, true, _tick(market, middle - 1), lots);
        uint40 ask = _place(WHALE, market, false, _tick(market, middle + 1), lots);
        _pass(QUOTED_SECONDS);
        perps.poke(market);
        vm.startPrank(WHALE);
        perps.cancel(market, bid);
        perps.cancel(market, ask);
        vm.stopPrank();
    }

    /// An hour with a premium, and a part of the next: positions begin at a funding index.
    function _age(Case memory one) internal {
        _poke(1, _signed(one, 9));
        _poke(2, _signed(one, 9));
        _pass(3600 + _below(one, 3000));
        perps.settleHours(1);
        perps.settleHours(2);
    }

    /* WHAT CORE KNOWS OF AN ACCOUNT */

    /// The account's collateral and positions with their markets' facts, before anything is
    /// derived.
    function _putAccount(Case memory one, uint40 account) internal view {
        _put(one, "collateral", perps.holdingOf(account).collateral);
        string memory rows;
        for (uint32 market = 1; market <= MARKETS; market++) {
            rows = string.concat(rows, _comma(rows), "{", _positionText(market, account), "}");
        }
        _putRaw(one, "positions", string.concat("[", rows, "]"));
    }

    function _positionText(uint32 market, uint40 account)
        internal
        view
        returns (string memory text)
    {
        Positions.Position memory position = perps.positionOf(market, account);
        text = string.concat(
            _member("lots", position.lots),
            ",",
            _member("quote", position.quote),
            ",",
            _member("fundingIndex", position.fundingIndex),
            ",",
            _member("bidLots", int256(uint256(Lots.unwrap(position.bidLots)))),
            ",",
            _member("askLots", int256(uint256(Lots.unwrap(position.askLots)))),
            ",",
            _member("leverage", int256(uint256(position.leverage)))
        );
        return string.concat(text, ",", _marketText(market));
    }

    function _marketText(uint32 market) internal view returns (string memory) {
        PerpsState.Quote memory quote = perps.quoteOf(market);
        Book.Units memory units = perps.unitsOf(market);
        return string.concat(
            _member("maxLeverage", int256(quote.maxLeverage)),
            ",",
            _member("amountStep", int256(uint256(units.amountStep))),
            ",",
            _member("mark", int256(quote.mark)),
            ",",
            _member("newFundingIndex", quote.fundingIndex)
        );
    }
}
